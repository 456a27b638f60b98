%% global on one node: names of any term, one process each, free after death.
%%! named()         ==> {yes,true,true,hello,true,ok,undefined}
%%! taken()         ==> {yes,no,true}
%%! re_registered() ==> {yes,yes,true}
%%! nobody()        ==> {exit,{badarg,{no_such_global_name,lost}}}
%%! after_death()   ==> undefined
-module(global_names).
-export([named/0, taken/0, re_registered/0, nobody/0, after_death/0]).
-define(NAME, {global_names, "term"}).
echo() -> receive {stop, Why} -> exit(Why); {From, What} -> From ! {self(), What}, echo() end.
named() ->
    P = spawn(fun echo/0),
    Registered = global:register_name(?NAME, P),
    Found = global:whereis_name(?NAME) =:= P,
    To = global:send(?NAME, {self(), hello}),
    Answer = receive {P, What} -> What end,
    Listed = lists:member(?NAME, global:registered_names()),
    {Registered, Found, To =:= P, Answer, Listed, global:unregister_name(?NAME), global:whereis_name(?NAME)}.
taken() ->
    [A, B] = [spawn(fun echo/0), spawn(fun echo/0)],
    Results = {global:register_name(?NAME, A), global:register_name(?NAME, B), global:whereis_name(?NAME) =:= A},
    global:unregister_name(?NAME),
    Results.
re_registered() ->
    [A, B] = [spawn(fun echo/0), spawn(fun echo/0)],
    Results = {global:register_name(?NAME, A), global:re_register_name(?NAME, B), global:whereis_name(?NAME) =:= B},
    global:unregister_name(?NAME),
    Results.
nobody() -> try global:send(no_such_global_name, lost) catch Class:Why -> {Class, Why} end.
after_death() ->
    P = spawn(fun echo/0),
    yes = global:register_name(?NAME, P),
    R = monitor(process, P),
    P ! {stop, over},
    receive {'DOWN', R, _, _, over} -> ok end,
    %% The server of the names learns of it by its own monitor; what it is asked now comes behind that.
    sys:get_state(global_name_server),
    global:whereis_name(?NAME).
