%% monitor/3: a tag in place of 'DOWN', and a reference that is an alias.
%%! tagged()                          ==> over
%%! tagged_dead()                     ==> {{nobody_has_this_name,nonode@nohost},noproc}
%%! alias_until(explicit_unalias)     ==> {arrived,arrived,true,arrived,true}
%%! alias_until(demonitor)            ==> {arrived,arrived,true,dropped,false}
%%! alias_until(reply_demonitor)      ==> {arrived,dropped,false,dropped,false}
%%! reply_removes_monitor()           ==> nothing
%%! down_ends_alias(demonitor)        ==> {dropped,false}
%%! down_ends_alias(explicit_unalias) ==> {arrived,true}
%%! bad([{alias, sometimes}])         ==> error badarg
%%! bad([tag])                        ==> error badarg
%%! bad(x)                            ==> error badarg
-module(monitor_options).
-export([tagged/0, tagged_dead/0, alias_until/1, reply_removes_monitor/0, down_ends_alias/1, bad/1]).
echo() -> receive {stop, Why} -> exit(Why); {A, Directly, What} -> A ! {alias, What}, Directly ! {done, What}, echo() end.
tagged() ->
    P = spawn(fun echo/0),
    R = monitor(process, P, [{tag, [my, "tag"]}]),
    P ! {stop, over},
    receive {[my, "tag"], R, process, P, Why} -> Why end.
tagged_dead() ->
    R = monitor(process, nobody_has_this_name, [{tag, none}]),
    receive {none, R, process, Item, Why} -> {Item, Why} end.
%% Three messages: with the monitor, with the alias or the monitor used up, and after demonitor.
alias_until(When) ->
    P = spawn(fun echo/0),
    R = monitor(process, P, [{alias, When}]),
    First = asked(P, R, 1),
    Second = asked(P, R, 2),
    Known = demonitor(R, [info]),
    {First, Second, Known, asked(P, R, 3), unalias(R)}.
asked(P, R, What) ->
    P ! {R, self(), What},
    receive {done, What} -> ok end,
    receive {alias, What} -> arrived after 0 -> dropped end.
reply_removes_monitor() ->
    P = spawn(fun echo/0),
    R = monitor(process, P, [{alias, reply_demonitor}]),
    asked(P, R, 1),
    R2 = monitor(process, P),
    P ! {stop, over},
    receive {'DOWN', R2, _, _, _} -> ok end,
    receive {'DOWN', R, _, _, Why} -> Why after 0 -> nothing end.
down_ends_alias(When) ->
    P = spawn(fun echo/0),
    R = monitor(process, P, [{alias, When}]),
    P ! {stop, over},
    receive {'DOWN', R, _, _, over} -> ok end,
    {asked(spawn(fun echo/0), R, late), unalias(R)}.
bad(Options) -> monitor(process, self(), Options).
