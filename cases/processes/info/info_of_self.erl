%% What a process can ask about itself without seeing memory or the schedule.
%%! item(registered_name)   ==> []
%%! item(message_queue_len) ==> {message_queue_len,0}
%%! item(messages)          ==> {messages,[]}
%%! item(links)             ==> {links,[]}
%%! item(monitors)          ==> {monitors,[]}
%%! item(trap_exit)         ==> {trap_exit,false}
%%! item(dictionary)        ==> {dictionary,[]}
%%! item(status)            ==> {status,running}
%%! item(priority)          ==> {priority,normal}
%%! item(initial_call)      ==> {initial_call,{info_of_self,run,2}}
%%! item(error_handler)     ==> {error_handler,error_handler}
%%! item(current_function)  ==> {current_function,{info_of_self,'-item/1-fun-0-',1}}
%%! item(suspending)        ==> {suspending,[]}
%%! item(no_such_item)      ==> {died,badarg}
%%! changed()               ==> {{true,true,[{messages,[x,{y,z}]},{message_queue_len,2},{trap_exit,true}],[{a,1},{b,2}],{registered_name,info_of_self_name}},{monitors,[]}}
%%! parent()                ==> true
%%! list()                  ==> [{trap_exit,false},{links,[]},{trap_exit,false},{registered_name,[]}]
%%! all()                   ==> {[status,links,trap_exit,priority],undefined,undefined}
-module(info_of_self).
-export([item/1, changed/0, parent/0, list/0, all/0, run/2, answer/2]).
item(Item) -> asked(fun() -> process_info(self(), Item) end).
asked(F) ->
    {P, R} = spawn_monitor(?MODULE, run, [self(), F]),
    receive {P, Answer} -> Answer; {'DOWN', R, _, _, {Why, _}} -> {died, Why} end.
run(To, F) -> answer(To, F()).
answer(To, What) -> To ! {self(), What}.
changed() ->
    asked(fun() ->
        process_flag(trap_exit, true),
        put(a, 1), put(b, 2),
        self() ! x, self() ! {y, z},
        register(info_of_self_name, self()),
        P = spawn_link(fun() -> receive never -> ok end end),
        R = monitor(process, P),
        {links, Links} = process_info(self(), links),
        {monitors, Monitors} = process_info(self(), monitors),
        Found = {Links =:= [P], Monitors =:= [{process, P}], process_info(self(), [messages, message_queue_len, trap_exit]),
                 lists:sort(element(2, process_info(self(), dictionary))), process_info(self(), registered_name)},
        demonitor(R),
        {Found, process_info(self(), monitors)}
    end).
parent() ->
    Me = self(),
    asked(fun() -> try process_info(self(), parent) of {parent, P} -> P =:= Me catch error:Why -> Why end end).
list() -> asked(fun() -> process_info(self(), [trap_exit, links, trap_exit, registered_name]) end).
all() ->
    asked(fun() ->
        Info = process_info(self()),
        {[K || {K, _} <- Info, K =/= dictionary, lists:member(K, [status, links, trap_exit, priority, dictionary])],
         proplists:get_value(registered_name, Info), proplists:get_value(messages, Info)}
    end).
