%% send as a function, and bad destinations.
%%! f()      ==> {a,ok,1,2}
%%! g(1)     ==> error badarg
%%! g([])    ==> error badarg
%%! g("pid") ==> error badarg
-module(send_forms).
-export([f/0, g/1]).
f() -> {erlang:send(self(), a), erlang:send(self(), b, []), receive a -> 1 end, receive b -> 2 end}.
g(To) -> To ! message.
