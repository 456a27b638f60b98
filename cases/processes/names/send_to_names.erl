%% Sending to a name that nobody has is an error; to a name with a node it is not.
%%! sent()                              ==> {[1,2,3,ok,ok],[1,2,3,4,5]}
%%! nobody(no_such_name_here)           ==> error badarg
%%! nobody_send(no_such_name_here)      ==> error badarg
%%! nobody_options(no_such_name_here)   ==> error badarg
%%! nobody({no_such_name_here, node()}) ==> lost
%%! after_death()                       ==> {error,badarg}
%%! nobody(1)                           ==> error badarg
%%! nobody({a, b, c})                   ==> error badarg
-module(send_to_names).
-export([sent/0, nobody/1, nobody_send/1, nobody_options/1, after_death/0]).
-define(NAME, send_to_names_name).
collect(From, 0, Got) -> From ! {got, lists:reverse(Got)};
collect(From, N, Got) -> receive M -> collect(From, N - 1, [M | Got]) end.
sent() ->
    Me = self(),
    register(?NAME, spawn(fun() -> collect(Me, 5, []) end)),
    Results = [?NAME ! 1, {?NAME, node()} ! 2, erlang:send(?NAME, 3), erlang:send({?NAME, node()}, 4, []),
               erlang:send(?NAME, 5, [nosuspend, noconnect])],
    receive {got, Got} -> {Results, Got} end.
nobody(To) -> To ! lost.
nobody_send(To) -> erlang:send(To, lost).
nobody_options(To) -> erlang:send(To, lost, [noconnect]).
after_death() ->
    {P, R} = spawn_monitor(fun() -> receive stop -> ok end end),
    register(?NAME, P),
    ?NAME ! stop,
    receive {'DOWN', R, _, _, _} -> try ?NAME ! lost catch Class:Why -> {Class, Why} end end.
