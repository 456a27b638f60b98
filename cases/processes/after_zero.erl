%% after 0 looks once through the mailbox.
%%! f() ==> nothing
%%! g() ==> {not_there,other}
-module(after_zero).
-export([f/0, g/0]).
f() -> receive anything -> got after 0 -> nothing end.
g() ->
    self() ! other,
    R = receive wanted -> got after 0 -> not_there end,
    {R, receive M -> M after 0 -> empty end}.
