%% The end of one process runs along the links until somebody traps it.
%%! chain(5, broken) ==> {broken,broken}
%%! chain(5, normal) ==> {normal,normal}
%%! chain(3, kill)   ==> {killed,killed}
%%! guarded(broken)  ==> {broken,normal}
%%! guarded(kill)    ==> {killed,normal}
-module(exit_cascade).
-export([chain/2, guarded/1]).
chain(N, Why) ->
    Me = self(),
    {First, R} = spawn_monitor(fun() -> link_up(N - 1, Me) end),
    receive {last, Last} -> ok end,
    RL = monitor(process, Last),
    exit(Last, Why),
    Last ! stop,
    EndOfLast = receive {'DOWN', RL, _, _, W} -> W end,
    Why =:= normal andalso (First ! stop),
    {EndOfLast, receive {'DOWN', R, _, _, W2} -> W2 end}.
link_up(0, Me) -> Me ! {last, self()}, receive stop -> ok end;
link_up(N, Me) -> spawn_link(fun() -> link_up(N - 1, Me) end), receive stop -> ok end.
guarded(Why) ->
    Me = self(),
    {Top, R} = spawn_monitor(fun() ->
        spawn_link(fun() ->
            process_flag(trap_exit, true),
            P = spawn_link(fun() -> receive go -> ok end end),
            exit(P, Why),
            receive {'EXIT', P, Got} -> Me ! {guard, Got} end,
            receive stop -> ok end
        end),
        receive stop -> ok end
    end),
    Got = receive {guard, G} -> G end,
    Top ! stop,
    {Got, receive {'DOWN', R, _, _, W} -> W end}.
