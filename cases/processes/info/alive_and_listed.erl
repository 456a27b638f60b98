%% is_process_alive and processes/0 know who is there.
%%! f()       ==> {{true,true},{true,true},normal,{false,false}}
%%! killed()  ==> false
%%! bad(name) ==> error badarg
-module(alive_and_listed).
-export([f/0, killed/0, bad/1]).
seen(P) -> {is_process_alive(P), lists:member(P, processes())}.
f() ->
    P = spawn(fun() -> receive stop -> ok end end),
    R = monitor(process, P),
    Before = seen(P),
    P ! stop,
    receive {'DOWN', R, _, _, Why} -> {seen(self()), Before, Why, seen(P)} end.
killed() ->
    P = spawn(fun() -> receive stop -> ok end end),
    exit(P, kill),
    %% The question is a signal behind the exit signal of the same sender.
    is_process_alive(P).
bad(P) -> is_process_alive(P).
