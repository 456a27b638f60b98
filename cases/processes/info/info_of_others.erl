%% What can be asked about another process that waits for a message, and about one that is dead.
%%! waiting([status, message_queue_len, messages])  ==> [{status,waiting},{message_queue_len,2},{messages,[{first,1},second]}]
%%! waiting([current_function, initial_call])       ==> [{current_function,{info_of_others,loop,0}},{initial_call,{info_of_others,server,1}}]
%%! waiting([registered_name, trap_exit, priority]) ==> [{registered_name,[]},{trap_exit,true},{priority,normal}]
%%! waiting(dictionary)                             ==> {dictionary,[{key,{some,value}}]}
%%! waiting(messages)                               ==> {messages,[{first,1},second]}
%%! waiting(registered_name)                        ==> []
%%! waiting(no_such_item)                           ==> error badarg
%%! waiting([links, no_such_item])                  ==> error badarg
%%! related()                                       ==> {true,true,{monitors,[]},true,{monitored_by,[]},true,{links,[]},true}
%%! dead()                                          ==> {undefined,undefined,undefined,false,{error,badarg}}
%%! bad(name)                                       ==> error badarg
-module(info_of_others).
-export([waiting/1, related/0, dead/0, bad/1, server/1, loop/0]).
server(Parent) ->
    put(key, {some, value}),
    process_flag(trap_exit, true),
    Parent ! {self(), ready},
    loop().
loop() -> receive stop -> ok end.
start() ->
    P = spawn(?MODULE, server, [self()]),
    receive {P, ready} -> P end.
waiting(Item) ->
    P = start(),
    P ! {first, 1},
    P ! second,
    wait_until_waiting(P),
    process_info(P, Item).
wait_until_waiting(P) ->
    case process_info(P, [status, current_function]) of
        [{status, waiting}, {current_function, {?MODULE, loop, 0}}] -> ok;
        _ -> erlang:yield(), wait_until_waiting(P)
    end.
related() ->
    Me = self(),
    P = start(),
    link(P),
    R = monitor(process, P),
    {process_info(P, links) =:= {links, [Me]}, process_info(P, monitored_by) =:= {monitored_by, [Me]},
     process_info(P, monitors), demonitor(R), process_info(P, monitored_by), unlink(P), process_info(P, links),
     process_info(P, group_leader) =:= process_info(Me, group_leader)}.
dead() ->
    {P, R} = spawn_monitor(fun() -> ok end),
    receive {'DOWN', R, _, _, _} -> ok end,
    {process_info(P), process_info(P, links), process_info(P, [links, messages]), is_process_alive(P),
     try process_info(P, no_such_item) catch Class:Why -> {Class, Why} end}.
bad(P) -> process_info(P, links).
