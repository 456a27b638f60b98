%% A monitor of what is not there reports at once.
%%! named()         ==> {process,{no_such_name,nonode@nohost},noproc}
%%! dead()          ==> noproc
%%! own()           ==> {quiet,true}
%%! flushed()       ==> none
%%! info()          ==> {false,false,false}
%%! bad(foo, x)     ==> error badarg
%%! bad(process, 1) ==> error badarg
%%! bad_option()    ==> error badarg
-module(monitors).
-export([named/0, dead/0, own/0, flushed/0, info/0, bad/2, bad_option/0]).
named() ->
    R = monitor(process, no_such_name),
    receive {'DOWN', R, Type, Item, Why} -> {Type, Item, Why} after 100 -> none end.
dead() ->
    P = list_to_pid("<0.32000.100>"),
    R = monitor(process, P),
    receive {'DOWN', R, process, P, Why} -> Why after 100 -> none end.
own() -> R = monitor(process, self()), Result = receive {'DOWN', R, _, _, _} -> down after 10 -> quiet end, {Result, demonitor(R)}.
flushed() ->
    R = monitor(process, no_such_name),
    true = demonitor(R, [flush]),
    receive M -> M after 10 -> none end.
info() ->
    A = monitor(process, self()),
    B = monitor(process, no_such_name),
    receive {'DOWN', B, _, _, _} -> ok end,
    {demonitor(A, [info]), demonitor(B, [info]), demonitor(B, [info, flush])}.
bad(Type, Item) -> monitor(Type, Item).
bad_option() -> demonitor(make_ref(), [foo]).
