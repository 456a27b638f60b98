%% Processes of proc_lib end with their reasons; stop asks one to end and waits for it.
%%! reason(fun() -> ok end)                  ==> normal
%%! reason(fun() -> exit(normal) end)        ==> normal
%%! reason(fun() -> exit({shutdown, x}) end) ==> {shutdown,x}
%%! reason(fun() -> error(bug) end)          ==> {bug,stack}
%%! reason(fun() -> throw(ball) end)         ==> {{nocatch,ball},stack}
%%! reason(fun() -> exit(other) end)         ==> other
%%! stopped()                                ==> {ok,false}
%%! stopped_with(over)                       ==> over
%%! stop_in_vain()                           ==> {exit,timeout}
%%! stop_dead()                              ==> {exit,noproc}
-module(lib_ends).
-export([reason/1, stopped/0, stopped_with/1, stop_in_vain/0, stop_dead/0, system_continue/3, system_terminate/4]).
reason(F) ->
    {P, R} = proc_lib:spawn_opt(F, [monitor]),
    receive {'DOWN', R, process, P, {Why, Stack}} when is_list(Stack) -> {Why, stack}; {'DOWN', R, process, P, Why} -> Why end.
loop(Parent) -> receive {system, From, Request} -> sys:handle_system_msg(Request, From, Parent, ?MODULE, [], Parent) end.
system_continue(Parent, _, _) -> loop(Parent).
system_terminate(Why, _, _, _) -> exit(Why).
start() -> Me = self(), proc_lib:spawn(fun() -> loop(Me) end).
stopped() -> P = start(), {proc_lib:stop(P), is_process_alive(P)}.
stopped_with(Why) -> P = start(), R = monitor(process, P), ok = proc_lib:stop(P, Why, infinity), receive {'DOWN', R, _, _, End} -> End end.
stop_in_vain() ->
    P = proc_lib:spawn(fun() -> receive never -> ok end end),
    try proc_lib:stop(P, normal, 20) catch Class:Why -> {Class, Why} end.
stop_dead() -> P = start(), ok = proc_lib:stop(P), try proc_lib:stop(P) catch Class:Why -> {Class, Why} end.
