%% An alias receives messages for its process until it is given up; then they are dropped.
%%! own()                ==> {true,hello,true,false}
%%! from_another()       ==> [1,2,3,done]
%%! given_up()           ==> {kept,nothing}
%%! reply_once()         ==> {first,nothing,false}
%%! of_another_process() ==> {is_alive,true}
%%! dead_owner()         ==> lost
%%! plain_reference()    ==> nothing
%%! unalias_other()      ==> false
%%! bad(x)               ==> error badarg
-module(alias_references).
-export([own/0, from_another/0, given_up/0, reply_once/0, of_another_process/0, dead_owner/0, plain_reference/0,
         unalias_other/0, bad/1]).
next() -> receive M -> M after 0 -> nothing end.
own() -> A = alias(), A ! hello, {is_reference(A), next(), unalias(A), unalias(A)}.
from_another() ->
    A = alias([]),
    Me = self(),
    spawn(fun() -> A ! 1, erlang:send(A, 2), erlang:send(A, 3, []), Me ! done end),
    [receive M -> M end || _ <- [1, 2, 3, 4]].
given_up() -> A = alias([explicit_unalias]), A ! kept, First = next(), unalias(A), A ! dropped, {First, next()}.
reply_once() ->
    A = alias([reply]),
    Me = self(),
    spawn(fun() -> A ! first, A ! second, Me ! done end),
    receive done -> {next(), next(), unalias(A)} end.
of_another_process() ->
    Me = self(),
    P = spawn(fun() -> A = alias(), Me ! {alias, A}, receive {by, A, What} -> Me ! {got, What} end end),
    receive {alias, A} -> A ! {by, A, {is_alive, is_process_alive(P)}} end,
    receive {got, What} -> What end.
dead_owner() ->
    Me = self(),
    {_, R} = spawn_monitor(fun() -> Me ! {alias, alias()} end),
    receive {alias, A} -> ok end,
    receive {'DOWN', R, _, _, _} -> A ! lost end.
plain_reference() -> make_ref() ! lost, next().
unalias_other() ->
    Me = self(),
    spawn(fun() -> Me ! {alias, alias()}, receive never -> ok end end),
    receive {alias, A} -> unalias(A) end.
bad(Options) -> alias(Options).
