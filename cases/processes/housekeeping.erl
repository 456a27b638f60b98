%% Calls about the process itself that change nothing.
%%! f() ==> {true,true,true,false,true,nonode@nohost,false,8}
-module(housekeeping).
-export([f/0]).
f() -> {erlang:garbage_collect(), erlang:yield(), is_list(erlang:process_info(self())),
    erlang:process_flag(trap_exit, true), erlang:process_flag(trap_exit, false), node(), is_alive(),
    erlang:system_info(wordsize)}.
