%% A call with an alias leaves no late answer behind after a timeout.
%%! in_time() ==> {{ok,a},{ok,b},nothing}
%%! late()    ==> {timeout,nothing,{ok,next}}
%%! dead()    ==> {down,noproc}
-module(call_by_alias).
-export([in_time/0, late/0, dead/0]).
serve() ->
    receive
        {call, Alias, {wait_for, Key, What}} -> receive Key -> Alias ! {reply, Alias, What} end, serve();
        {call, Alias, What} -> Alias ! {reply, Alias, {ok, What}}, serve();
        {sync, From} -> From ! synced, serve();
        stop -> ok
    end.
call(P, What, Time) ->
    R = monitor(process, P, [{alias, reply_demonitor}]),
    P ! {call, R, What},
    receive
        {reply, R, Answer} -> Answer;
        {'DOWN', R, process, _, Why} -> {down, Why}
    after Time ->
        demonitor(R, [flush]),
        timeout
    end.
in_time() -> P = spawn(fun serve/0), {call(P, a, infinity), call(P, b, 1000), left()}.
late() ->
    P = spawn(fun serve/0),
    First = call(P, {wait_for, now, x}, 20),
    P ! now,
    P ! {sync, self()},
    receive synced -> ok end,
    {First, left(), call(P, next, infinity)}.
dead() ->
    {P, R} = spawn_monitor(fun() -> ok end),
    receive {'DOWN', R, _, _, _} -> call(P, a, infinity) end.
left() -> receive M -> {left, M} after 0 -> nothing end.
