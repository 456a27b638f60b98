%% A new process has its parent's group leader, and nothing else of it.
%%! f() ==> {[[],{trap_exit,false},{priority,normal},{links,[]},{message_queue_len,0},[],true],kept_by_the_parent,value}
-module(spawn_inherits).
-export([f/0]).
f() ->
    Me = self(),
    put(key, value),
    process_flag(trap_exit, true),
    process_flag(priority, high),
    self() ! kept_by_the_parent,
    P = spawn(fun() ->
                      Me ! {self(), [get(), process_info(self(), trap_exit), process_info(self(), priority),
                                     process_info(self(), links), process_info(self(), message_queue_len),
                                     process_info(self(), registered_name), group_leader() =:= group_leader(Me)]}
              end),
    process_flag(priority, normal),
    receive {P, Found} -> {Found, receive Kept -> Kept end, get(key)} end.
group_leader(P) -> {group_leader, L} = process_info(P, group_leader), L.
