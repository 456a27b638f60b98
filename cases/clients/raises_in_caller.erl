%% A directory whose function for two keys at once expects both to be there. The server is well: the call itself fails.
%%? client: finds error:{badmatch, error}
%% Scenario: {ok, P} = raises_in_caller:start_link(), ok = raises_in_caller:store(P, a, 1), raises_in_caller:swap(P, a, b)
-module(raises_in_caller).
-behaviour(gen_server).
-export([start_link/0, store/3, fetch/2, swap/3]).
-export([init/1, handle_call/3, handle_cast/2]).

-spec start_link() -> {ok, pid()}.
start_link() -> gen_server:start_link(?MODULE, [], []).

-spec store(pid(), atom(), integer()) -> ok.
store(Directory, Key, Value) -> gen_server:call(Directory, {store, Key, Value}).

-spec fetch(pid(), atom()) -> {ok, integer()} | error.
fetch(Directory, Key) -> gen_server:call(Directory, {fetch, Key}).

%% Exchanges two values, if the first is there at all.
-spec swap(pid(), atom(), atom()) -> ok | error.
swap(Directory, A, B) ->
    case fetch(Directory, A) of
        {ok, ValueA} ->
            {ok, ValueB} = fetch(Directory, B),
            ok = store(Directory, A, ValueB),
            store(Directory, B, ValueA);
        error ->
            error
    end.

init([]) -> {ok, #{}}.

handle_call({store, K, V}, _, Values) -> {reply, ok, Values#{K => V}};
handle_call({fetch, K}, _, Values) -> {reply, maps:find(K, Values), Values}.

handle_cast(_, Values) -> {noreply, Values}.
