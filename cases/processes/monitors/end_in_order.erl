%% When a process ends, its name is free and its tables are gone or inherited before links and monitors tell.
%%! order()   ==> [table,link,monitor]
%%! at_exit() ==> {undefined,undefined,false,undefined}
%%! at_down() ==> {undefined,undefined,false,undefined}
-module(end_in_order).
-export([order/0, at_exit/0, at_down/0]).
order() ->
    Me = self(),
    process_flag(trap_exit, true),
    {P, R} = spawn_monitor(fun() -> ets:new(t, [{heir, Me, gift}]), link(Me), exit(over) end),
    [receive
         {'ETS-TRANSFER', _, P, gift} -> table;
         {'EXIT', P, over} -> link;
         {'DOWN', R, process, P, over} -> monitor
     end || _ <- [1, 2, 3]].
started(Me) ->
    register(end_in_order_name, self()),
    Me ! {self(), ets:new(t, [public])},
    receive go -> exit(over) end.
at_exit() ->
    process_flag(trap_exit, true),
    Me = self(),
    P = spawn_link(fun() -> started(Me) end),
    receive {P, T} -> P ! go end,
    receive {'EXIT', P, _} -> {whereis(end_in_order_name), ets:info(T), is_process_alive(P), process_info(P)} end.
at_down() ->
    Me = self(),
    {P, R} = spawn_monitor(fun() -> started(Me) end),
    receive {P, T} -> P ! go end,
    receive {'DOWN', R, _, _, _} -> {whereis(end_in_order_name), ets:info(T), is_process_alive(P), process_info(P)} end.
