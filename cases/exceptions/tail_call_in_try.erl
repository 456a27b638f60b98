%% A call inside try is not a tail call, one in a handler is.
%%! f(100000) ==> caught_at_three
%%! g(100000) ==> done
-module(tail_call_in_try).
-export([f/1, g/1]).
f(0) -> throw(bottom);
f(N) -> try f(N - 1) catch throw:bottom when N =:= 3 -> caught_at_three end.
g(0) -> done;
g(N) -> try throw(next) catch next -> g(N - 1) end.
