%% Flags are remembered and checked.
%%! old(trap_exit, true)           ==> {false,true}
%%! old(priority, high)            ==> {normal,high}
%%! old(error_handler, my_handler) ==> {error_handler,my_handler}
%%! bad(trap_exit, 1)              ==> error badarg
%%! bad(priority, x)               ==> error badarg
%%! bad(no_such_flag, true)        ==> error badarg
%%! trapped()                      ==> reason
-module(flags).
-export([old/2, bad/2, trapped/0]).
old(Flag, Value) -> Old = process_flag(Flag, Value), {Old, process_flag(Flag, Old)}.
bad(Flag, Value) -> process_flag(Flag, Value).
trapped() ->
    process_flag(trap_exit, true),
    Self = self(),
    true = exit(self(), reason),
    M = receive {'EXIT', Self, R} -> R after 100 -> none end,
    process_flag(trap_exit, false),
    M.
