%% A cache that keeps the entries that were used last. It makes room only once there are more entries than allowed,
%% which its declared invariant tells.
%%? client: finds error:{badmatch, false}
%% Scenario: {ok, P} = lru_off_by_one:start_link(1), ok = lru_off_by_one:put(P, a, 1), ok = lru_off_by_one:put(P, b, 2), lru_off_by_one:fits(sys:get_state(P))
-module(lru_off_by_one).
-behaviour(gen_server).
-beagle({invariant, fits/1}).
-export([start_link/1, put/3, get/2, fits/1]).
-export([init/1, handle_call/3, handle_cast/2]).

-record(lru, {capacity :: pos_integer(), entries = [] :: [{atom(), integer()}]}).

-spec start_link(1..8) -> {ok, pid()}.
start_link(Capacity) -> gen_server:start_link(?MODULE, Capacity, []).

-spec put(pid(), atom(), integer()) -> ok.
put(Cache, Key, Value) -> gen_server:call(Cache, {put, Key, Value}).

-spec get(pid(), atom()) -> {ok, integer()} | error.
get(Cache, Key) -> gen_server:call(Cache, {get, Key}).

-spec fits(#lru{}) -> boolean().
fits(#lru{capacity = Capacity, entries = Entries}) -> length(Entries) =< Capacity.

init(Capacity) -> {ok, #lru{capacity = Capacity}}.

handle_call({put, K, V}, _, #lru{capacity = Capacity, entries = Entries} = S) ->
    Others = lists:keydelete(K, 1, Entries),
    Kept = if length(Others) > Capacity -> lists:droplast(Others); true -> Others end,
    {reply, ok, S#lru{entries = [{K, V} | Kept]}};
handle_call({get, K}, _, #lru{entries = Entries} = S) ->
    case lists:keytake(K, 1, Entries) of
        {value, {K, V}, Others} -> {reply, {ok, V}, S#lru{entries = [{K, V} | Others]}};
        false -> {reply, error, S}
    end.

handle_cast(_, S) -> {noreply, S}.
