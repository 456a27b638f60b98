%% A name is an atom, for one living process, which has no other name.
%%! taken()                              ==> {true,{error,badarg},true}
%%! second_name()                        ==> {true,{error,badarg},undefined}
%%! same_again()                         ==> {true,{error,badarg}}
%%! dead()                               ==> {error,badarg}
%%! bad(undefined)                       ==> error badarg
%%! bad("name")                          ==> error badarg
%%! not_a_process(x)                     ==> error badarg
%%! unregister_nobody(no_such_name_here) ==> error badarg
%%! unregister_nobody(1)                 ==> error badarg
%%! whereis_bad(1)                       ==> error badarg
-module(register_errors).
-export([taken/0, second_name/0, same_again/0, dead/0, bad/1, not_a_process/1, unregister_nobody/1, whereis_bad/1]).
-define(NAME, register_errors_name).
waiting() -> spawn(fun() -> receive never -> ok end end).
attempt(Name, P) -> try register(Name, P) catch Class:Why -> {Class, Why} end.
taken() ->
    P = waiting(),
    {attempt(?NAME, P), attempt(?NAME, waiting()), whereis(?NAME) =:= P}.
second_name() ->
    P = waiting(),
    {attempt(?NAME, P), attempt(register_errors_other, P), whereis(register_errors_other)}.
same_again() -> P = waiting(), {attempt(?NAME, P), attempt(?NAME, P)}.
dead() ->
    {P, R} = spawn_monitor(fun() -> ok end),
    receive {'DOWN', R, _, _, _} -> attempt(?NAME, P) end.
bad(Name) -> register(Name, self()).
not_a_process(P) -> register(?NAME, P).
unregister_nobody(Name) -> unregister(Name).
whereis_bad(Name) -> whereis(Name).
