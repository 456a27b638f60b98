%% After unlink no exit of that process arrives any more, but one that has arrived stays.
%%! before()            ==> {true,ok,nothing,true}
%%! behind()            ==> {true,{exit,broken}}
%%! flushed()           ==> nothing
%%! by_the_other_side() ==> {ok,nothing}
%%! never_linked()      ==> true
%%! twice()             ==> {true,true,true,ok,x,nothing}
%%! bad()               ==> error badarg
-module(unlinking).
-export([before/0, behind/0, flushed/0, by_the_other_side/0, never_linked/0, twice/0, bad/0]).
child() -> spawn_link(fun() -> receive Why -> exit(Why) end end).
down(P) ->
    R = monitor(process, P),
    receive {'DOWN', R, _, _, _} -> ok end.
gone(P, Why) ->
    R = monitor(process, P),
    P ! Why,
    receive {'DOWN', R, _, _, _} -> ok end.
left() -> receive {'EXIT', _, Why} -> {exit, Why} after 0 -> nothing end.
before() ->
    process_flag(trap_exit, true),
    P = child(),
    {unlink(P), gone(P, broken), left(), process_flag(trap_exit, false)}.
behind() ->
    process_flag(trap_exit, true),
    P = child(),
    P ! broken,
    receive {'EXIT', P, broken} = Exit -> self() ! Exit end,
    {unlink(P), left()}.
flushed() ->
    process_flag(trap_exit, true),
    P = child(),
    gone(P, broken),
    unlink(P),
    receive {'EXIT', P, _} -> ok after 0 -> ok end,
    left().
by_the_other_side() ->
    process_flag(trap_exit, true),
    Me = self(),
    P = spawn_link(fun() -> unlink(Me), exit(quietly) end),
    {down(P), left()}.
never_linked() -> P = spawn(fun() -> receive stop -> ok end end), unlink(P).
twice() ->
    process_flag(trap_exit, true),
    P = child(),
    {link(P), link(P), process_info(self(), links) =:= {links, [P]}, gone(P, x), receive {'EXIT', P, Why} -> Why end, left()}.
bad() -> unlink(name).
