%% exit/2 ends a process, is ignored, or becomes a message, by its reason and by whether exits are trapped.
%%! plain(normal)         ==> ignored
%%! plain(kill)           ==> {ended,killed}
%%! plain(killed)         ==> {ended,killed}
%%! plain(shutdown)       ==> {ended,shutdown}
%%! plain({any, term})    ==> {ended,{any,term}}
%%! trapping(normal)      ==> {message,'EXIT',true,normal}
%%! trapping(kill)        ==> {ended,killed}
%%! trapping(killed)      ==> {message,'EXIT',true,killed}
%%! trapping(shutdown)    ==> {message,'EXIT',true,shutdown}
%%! trapping({any, term}) ==> {message,'EXIT',true,{any,term}}
-module(exit_signals).
-export([plain/1, trapping/1]).
plain(Why) -> sent(false, Why).
trapping(Why) -> sent(true, Why).
sent(Trap, Why) ->
    Me = self(),
    {P, R} = spawn_monitor(fun() -> process_flag(trap_exit, Trap), Me ! {self(), ready}, loop() end),
    receive {P, ready} -> ok end,
    true = exit(P, Why),
    P ! {Me, ask},
    receive
        {P, asked} -> ignored;
        {P, Tag, From, Got} -> {message, Tag, From =:= Me, Got};
        {'DOWN', R, _, _, End} -> {ended, End}
    end.
loop() ->
    receive
        {From, ask} -> From ! {self(), asked};
        {Tag, From, Got} -> From ! {self(), Tag, From, Got}
    end.
