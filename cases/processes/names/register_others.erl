%% Names of other processes: given, found, taken back, and free again after death.
%%! given()            ==> true
%%! taken_back()       ==> {true,undefined,[],true}
%%! free_after_death() ==> {undefined,false,true,true}
%%! passed_on()        ==> {false,true}
%%! listed()           ==> {true,false}
-module(register_others).
-export([given/0, taken_back/0, free_after_death/0, passed_on/0, listed/0]).
-define(NAME, register_others_name).
waiting() -> spawn(fun() -> receive {From, ask} -> From ! {self(), answer} end end).
given() ->
    P = waiting(),
    {register(?NAME, P), whereis(?NAME) =:= P, process_info(P, registered_name), ?NAME ! {self(), ask},
     receive {P, What} -> What end} =:= {true, true, {registered_name, ?NAME}, {self(), ask}, answer}.
taken_back() ->
    P = waiting(),
    register(?NAME, P),
    {unregister(?NAME), whereis(?NAME), process_info(P, registered_name), is_process_alive(P)}.
free_after_death() ->
    P = waiting(),
    register(?NAME, P),
    R = monitor(process, P),
    exit(P, kill),
    receive {'DOWN', R, _, _, _} -> ok end,
    {whereis(?NAME), lists:member(?NAME, registered()), register(?NAME, self()), unregister(?NAME)}.
passed_on() ->
    [A, B] = [waiting(), waiting()],
    register(?NAME, A),
    unregister(?NAME),
    register(?NAME, B),
    ?NAME ! {self(), ask},
    receive {P, answer} -> {P =:= A, P =:= B} end.
listed() ->
    register(?NAME, waiting()),
    {lists:member(?NAME, registered()), lists:member(no_such_name_here, registered())}.
