%% A monitor tells the reason for which the process ended.
%%! down(fun() -> ok end)                      ==> normal
%%! down(fun() -> exit(normal) end)            ==> normal
%%! down(fun() -> exit(shutdown) end)          ==> shutdown
%%! down(fun() -> exit(kill) end)              ==> kill
%%! down(fun() -> exit(self(), kill) end)      ==> killed
%%! down(fun() -> error(bug) end)              ==> {bug,stack}
%%! down(fun() -> throw(ball) end)             ==> {{nocatch,ball},stack}
%%! down(fun() -> exit({bug, 1}) end)          ==> {bug,1}
%%! down(fun() -> erlang:halt_not_there() end) ==> {undef,stack}
%%! killed_by_other()                          ==> killed
%%! of_dead()                                  ==> {first,noproc,false}
-module(down_reasons).
-export([down/1, killed_by_other/0, of_dead/0]).
down(F) ->
    {P, R} = spawn_monitor(F),
    receive
        {'DOWN', R, process, P, {Why, Stack}} when is_list(Stack) -> {Why, stack};
        {'DOWN', R, process, P, Why} -> Why
    end.
killed_by_other() ->
    {P, R} = spawn_monitor(fun() -> process_flag(trap_exit, true), receive never -> ok end end),
    exit(P, kill),
    receive {'DOWN', R, _, _, Why} -> Why end.
of_dead() ->
    {P, R} = spawn_monitor(fun() -> exit(first) end),
    First = receive {'DOWN', R, _, _, Why} -> Why end,
    R2 = monitor(process, P),
    {First, receive {'DOWN', R2, process, P, Why2} -> Why2 end, is_process_alive(P)}.
