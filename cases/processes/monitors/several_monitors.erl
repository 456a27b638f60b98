%% Each monitor of a process sends its own message, in the order in which they were made.
%%! same_process(5)  ==> [{1,gone},{2,gone},{3,gone},{4,gone},{5,gone}]
%%! one_removed()    ==> {gone,gone,nothing}
%%! of_many(5)       ==> [{1,{end_of,1}},{2,{end_of,2}},{3,{end_of,3}},{4,{end_of,4}},{5,{end_of,5}}]
%%! seen_from_both() ==> {both,both}
-module(several_monitors).
-export([same_process/1, one_removed/0, of_many/1, seen_from_both/0]).
waiting() -> spawn(fun() -> receive Why -> exit(Why) end end).
same_process(N) ->
    P = waiting(),
    Refs = [{K, monitor(process, P)} || K <- lists:seq(1, N)],
    P ! gone,
    [receive {'DOWN', R, process, P, Why} -> {K, Why} end || {K, R} <- Refs].
one_removed() ->
    P = waiting(),
    [A, B, C] = [monitor(process, P) || _ <- [1, 2, 3]],
    demonitor(B),
    P ! gone,
    {receive {'DOWN', A, _, _, W} -> W end, receive {'DOWN', C, _, _, W2} -> W2 end,
     receive {'DOWN', B, _, _, W3} -> W3 after 0 -> nothing end}.
of_many(N) ->
    All = [{K, waiting()} || K <- lists:seq(1, N)],
    Refs = [{K, P, monitor(process, P)} || {K, P} <- All],
    [P ! {end_of, K} || {K, P, _} <- lists:reverse(Refs)],
    [receive {'DOWN', R, process, P, Why} -> {K, Why} end || {K, P, R} <- Refs].
seen_from_both() ->
    P = waiting(),
    Me = self(),
    Q = spawn(fun() -> R = monitor(process, P), Me ! {self(), ready}, receive {'DOWN', R, _, _, W} -> Me ! {self(), W} end end),
    receive {Q, ready} -> ok end,
    R = monitor(process, P),
    P ! both,
    {receive {'DOWN', R, _, _, W} -> W end, receive {Q, W2} -> W2 end}.
