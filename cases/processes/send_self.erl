%% Messages to oneself arrive in order.
%%! f() ==> [1,2,3]
%%! g() ==> {{msg,"text"},{msg,"text"},true}
-module(send_self).
-export([f/0, g/0]).
f() -> [self() ! N || N <- [1, 2, 3]], [receive M -> M end || _ <- [1, 2, 3]].
g() -> M = (self() ! {msg, "text"}), receive X -> {M, X, X =:= M} end.
