%% A signal to a dead process is lost; what is no process is refused.
%%! dead(kill)        ==> true
%%! dead(normal)      ==> true
%%! message_to_dead() ==> hello
%%! bad(name, kill)   ==> error badarg
%%! bad(1, normal)    ==> error badarg
-module(exit_signals_to_nobody).
-export([dead/1, message_to_dead/0, bad/2]).
gone() ->
    {P, R} = spawn_monitor(fun() -> ok end),
    receive {'DOWN', R, _, _, _} -> P end.
dead(Why) -> exit(gone(), Why).
message_to_dead() -> gone() ! hello.
bad(P, Why) -> exit(P, Why).
