%% A timer delivers its message to the mailbox; a cancelled one does not.
%%! f() ==> {timer,done}
%%! g() ==> {true,true,false,nothing}
-module(send_after).
-export([f/0, g/0]).
f() -> erlang:send_after(1, self(), {timer, done}), receive M -> M end.
g() ->
    R = erlang:send_after(60000, self(), late),
    Left = erlang:cancel_timer(R),
    {is_integer(Left), Left =< 60000, erlang:cancel_timer(R), receive X -> X after 0 -> nothing end}.
