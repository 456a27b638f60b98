%% A monitor of a name follows the process that has the name now, and reports the name.
%%! local()                             ==> {{monitor_by_name_p,nonode@nohost},reason}
%%! with_node()                         ==> {{monitor_by_name_p,nonode@nohost},reason}
%%! nobody(no_such_name_here)           ==> {{no_such_name_here,nonode@nohost},noproc}
%%! nobody({no_such_name_here, node()}) ==> {{no_such_name_here,nonode@nohost},noproc}
%%! renamed()                           ==> {{monitor_by_name_p,nonode@nohost},late,undefined}
%%! bad(17)                             ==> error badarg
%%! bad({name, 1})                      ==> error badarg
-module(monitor_by_name).
-export([local/0, with_node/0, nobody/1, renamed/0, bad/1]).
start() ->
    P = spawn(fun() -> receive Why -> exit(Why) end end),
    register(monitor_by_name_p, P),
    P.
local() -> start(), seen(monitor(process, monitor_by_name_p), monitor_by_name_p).
with_node() -> start(), seen(monitor(process, {monitor_by_name_p, node()}), monitor_by_name_p).
seen(R, Name) ->
    Name ! reason,
    receive {'DOWN', R, process, Item, Why} -> {Item, Why} end.
nobody(Name) ->
    R = monitor(process, Name),
    receive {'DOWN', R, process, Item, Why} -> {Item, Why} end.
renamed() ->
    P = start(),
    R = monitor(process, monitor_by_name_p),
    unregister(monitor_by_name_p),
    P ! late,
    receive {'DOWN', R, process, Item, Why} -> {Item, Why, whereis(monitor_by_name_p)} end.
bad(Item) -> monitor(process, Item).
