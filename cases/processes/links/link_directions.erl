%% A link carries the end of either side to the other.
%%! child_dies()             ==> child_gone
%%! parent_dies()            ==> parent_gone
%%! siblings()               ==> {true,broken,false}
%%! normal_end_is_harmless() ==> {still_here,true,{links,[]}}
-module(link_directions).
-export([child_dies/0, parent_dies/0, siblings/0, normal_end_is_harmless/0]).
wait() -> receive stop -> ok end.
child_dies() ->
    P = spawn(fun() -> C = spawn_link(fun() -> receive go -> exit(child_gone) end end), C ! go, wait() end),
    R = monitor(process, P),
    receive {'DOWN', R, _, _, Why} -> Why end.
parent_dies() ->
    Me = self(),
    P = spawn(fun() -> Me ! {child, spawn_link(fun wait/0)}, receive go -> exit(parent_gone) end end),
    receive {child, C} -> ok end,
    R = monitor(process, C),
    P ! go,
    receive {'DOWN', R, _, _, Why} -> Why end.
siblings() ->
    Me = self(),
    A = spawn(fun wait/0),
    B = spawn(fun() -> Me ! {linked, link(A)}, wait() end),
    Linked = receive {linked, True} -> True end,
    RB = monitor(process, B),
    exit(A, broken),
    Why = receive {'DOWN', RB, _, _, W} -> W end,
    {Linked, Why, is_process_alive(A)}.
normal_end_is_harmless() ->
    Me = self(),
    P = spawn(fun() ->
                      C = spawn_link(fun() -> ok end),
                      R = monitor(process, C),
                      receive {'DOWN', R, _, _, _} -> ok end,
                      Me ! {self(), still_here},
                      wait()
              end),
    receive {P, What} -> {What, is_process_alive(P), process_info(P, links)} end.
