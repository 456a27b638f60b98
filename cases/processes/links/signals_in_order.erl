%% Whoever sends an exit signal and asks for the process afterwards gets the answer that follows from the signal.
%%! alive_after_kill()    ==> {true,false}
%%! info_after_kill()     ==> undefined
%%! monitor_after_kill()  ==> true
%%! link_after_kill()     ==> true
%%! unlinked_in_time()    ==> survived
%%! chain()               ==> broken
%%! down_before_the_end() ==> {broken,served}
%%! killed_twice()        ==> first
%%! star()                ==> broken
-module(signals_in_order).
-export([alive_after_kill/0, info_after_kill/0, monitor_after_kill/0, link_after_kill/0, unlinked_in_time/0, chain/0]).
-export([down_before_the_end/0, killed_twice/0, star/0]).
idle() -> receive stop -> ok end.
alive_after_kill() ->
    P = spawn(fun idle/0),
    Before = is_process_alive(P),
    exit(P, kill),
    {Before, is_process_alive(P)}.
info_after_kill() ->
    P = spawn(fun idle/0),
    exit(P, stopped),
    process_info(P, links).
monitor_after_kill() ->
    P = spawn(fun idle/0),
    exit(P, kill),
    R = monitor(process, P),
    receive {'DOWN', R, process, P, Why} -> lists:member(Why, [killed, noproc]) end.
link_after_kill() ->
    process_flag(trap_exit, true),
    P = spawn(fun idle/0),
    exit(P, kill),
    true = link(P),
    Got = receive {'EXIT', P, Why} -> lists:member(Why, [killed, noproc]) end,
    process_flag(trap_exit, false),
    Got.
unlinked_in_time() ->
    {P, R} = spawn_monitor(fun() ->
        Child = spawn_link(fun idle/0),
        unlink(Child),
        exit(Child, kill),
        false = is_process_alive(Child),
        exit(survived)
    end),
    receive {'DOWN', R, process, P, Why} -> Why end.
chained(0) -> idle();
chained(N) -> spawn_link(fun() -> chained(N - 1) end), idle().
chain() ->
    Me = self(),
    {P, R} = spawn_monitor(fun() ->
        Last = spawn_link(fun() -> Me ! {last, self()}, chained(50) end),
        exit(Last, broken),
        idle()
    end),
    receive {last, _} -> ok after 100 -> ok end,
    receive {'DOWN', R, process, P, Why} -> Why end.
%% The server needs some time to end, in which the client reads that the other one is down.
down_before_the_end() ->
    Me = self(),
    Client = spawn(fun() ->
        receive {watch, Worker, Server} ->
            R = monitor(process, Worker),
            link(Server),
            Me ! ready,
            receive {'DOWN', R, _, _, Why} -> Me ! {client, down, Why} end,
            idle()
        end
    end),
    Worker = spawn(fun idle/0),
    Server = spawn(fun() ->
        process_flag(trap_exit, true),
        link(Worker),
        Me ! ready,
        receive {'EXIT', Worker, _} -> lists:sum(lists:seq(1, 200000)), exit(served) end
    end),
    receive ready -> ok end,
    Client ! {watch, Worker, Server},
    receive ready -> ok end,
    {M, Mine} = {monitor(process, Client), Client},
    exit(Worker, broken),
    Down = receive {client, down, Reason} -> Reason end,
    receive {'DOWN', M, process, Mine, Why} -> {Down, Why} end.
killed_twice() ->
    {P, R} = spawn_monitor(fun idle/0),
    exit(P, first),
    exit(P, kill),
    receive {'DOWN', R, process, P, Why} -> Why end.
star() ->
    {P, R} = spawn_monitor(fun() ->
        Children = [spawn_link(fun idle/0) || _ <- lists:seq(1, 500)],
        exit(hd(Children), broken),
        idle()
    end),
    receive {'DOWN', R, process, P, Why} -> Why end.
