%% Values keep what they stand for through a table that another process owns.
%%? read_back/1: finds error:seventeen for (17); failures = 1; exhausts
%%? key/2: finds error:same_key for (K, K); failures = 1
%%? inherited/1: finds error:large for (N) when N > 1000; failures = 1; exhausts
-module(symbolic_through_tables).
-export([read_back/1, key/2, inherited/1]).

owner(Me) -> spawn_link(fun() -> Me ! {self(), ets:new(t, [public])}, receive stop -> ok end end).
table() -> P = owner(self()), receive {P, T} -> T end.

-spec read_back(integer()) -> ok.
read_back(N) ->
    T = table(),
    ets:insert(T, {key, N}),
    Me = self(),
    P = spawn_link(fun() -> [{key, X}] = ets:lookup(T, key), Me ! {self(), X} end),
    receive {P, 17} -> error(seventeen); {P, _} -> ok end.

-spec key(integer(), integer()) -> ok.
key(A, B) ->
    T = table(),
    ets:insert(T, {A, first}),
    Me = self(),
    P = spawn_link(fun() -> Me ! {self(), ets:insert_new(T, {B, second})} end),
    receive {P, true} -> ok; {P, false} -> error(same_key) end.

-spec inherited(integer()) -> ok.
inherited(N) ->
    Me = self(),
    P = spawn(fun() -> T = ets:new(t, [{heir, Me, gift}]), ets:insert(T, {n, N}) end),
    receive {'ETS-TRANSFER', T, P, gift} -> ok end,
    case ets:lookup_element(T, n, 2) of
        X when X > 1000 -> error(large);
        _ -> ok
    end.
