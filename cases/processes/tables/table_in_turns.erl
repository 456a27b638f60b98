%% Several processes write a public table in turns; what each wrote is seen by the next.
%%! counter(10)       ==> {true,[{n,10}]}
%%! relay(5)          ==> [{5,{5,{4,{3,{2,{1,start}}}}}}]
%%! insert_new_once() ==> {1,1}
%%! safe_fixed()      ==> false
-module(table_in_turns).
-export([counter/1, relay/1, insert_new_once/0, safe_fixed/0]).
joined(Fs) ->
    Me = self(),
    Pids = [spawn(fun() -> Me ! {self(), F()} end) || F <- Fs],
    [receive {P, Result} -> Result end || P <- Pids].
counter(N) ->
    T = ets:new(t, [public]),
    ets:insert(T, {n, 0}),
    Values = joined([fun() -> ets:update_counter(T, n, 1) end || _ <- lists:seq(1, N)]),
    {lists:sort(Values) =:= lists:seq(1, N), ets:lookup(T, n)}.
relay(N) ->
    T = ets:new(t, [public, ordered_set]),
    ets:insert(T, {0, start}),
    [[true] = joined([fun() -> [{_, V}] = ets:lookup(T, K - 1), ets:insert(T, {K, {K, V}}) end]) || K <- lists:seq(1, N)],
    ets:lookup(T, N).
insert_new_once() ->
    T = ets:new(t, [public]),
    Results = joined([fun() -> ets:insert_new(T, {lock, K}) end || K <- [1, 2, 3]]),
    {length([R || R <- Results, R]), ets:info(T, size)}.
safe_fixed() ->
    T = ets:new(t, [public]),
    ets:insert(T, [{K} || K <- [1, 2, 3]]),
    {_, R} = spawn_monitor(fun() -> ets:safe_fixtable(T, true), exit(fixed) end),
    receive {'DOWN', R, _, _, fixed} -> ets:info(T, fixed) end.
