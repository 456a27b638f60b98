%% A cache whose entries live for a while. Expiry removes the value but leaves the key in the list of the order,
%% so that asking for the oldest entry crashes after some time has passed.
%%? client: finds error:{badkey, _}
%% Scenario: {ok, P} = cache_entry_expires:start_link(10), ok = cache_entry_expires:put(P, a, 1), {ok, 1} = cache_entry_expires:get(P, a), timer:sleep(50), cache_entry_expires:oldest(P)
-module(cache_entry_expires).
-behaviour(gen_server).
-export([start_link/1, put/3, get/2, oldest/1]).
-export([init/1, handle_call/3, handle_cast/2, handle_info/2]).

-record(cache, {ttl :: pos_integer(), values = #{} :: #{atom() => integer()}, order = [] :: [atom()]}).

-spec start_link(1..60000) -> {ok, pid()}.
start_link(Milliseconds) -> gen_server:start_link(?MODULE, Milliseconds, []).

-spec put(pid(), atom(), integer()) -> ok.
put(Cache, Key, Value) -> gen_server:call(Cache, {put, Key, Value}).

-spec get(pid(), atom()) -> {ok, integer()} | error.
get(Cache, Key) -> gen_server:call(Cache, {get, Key}).

-spec oldest(pid()) -> {atom(), integer()} | none.
oldest(Cache) -> gen_server:call(Cache, oldest).

init(Ttl) -> {ok, #cache{ttl = Ttl}}.

handle_call({put, K, V}, _, #cache{ttl = Ttl, values = Vs, order = Ks} = S) ->
    _ = erlang:send_after(Ttl, self(), {expired, K}),
    {reply, ok, S#cache{values = Vs#{K => V}, order = lists:delete(K, Ks) ++ [K]}};
handle_call({get, K}, _, #cache{values = Vs} = S) ->
    {reply, maps:find(K, Vs), S};
handle_call(oldest, _, #cache{order = []} = S) ->
    {reply, none, S};
handle_call(oldest, _, #cache{values = Vs, order = [K | _]} = S) ->
    {reply, {K, maps:get(K, Vs)}, S}.

handle_cast(_, S) -> {noreply, S}.

handle_info({expired, K}, #cache{values = Vs} = S) -> {noreply, S#cache{values = maps:remove(K, Vs)}};
handle_info(_, S) -> {noreply, S}.
