%% catch binds weakly, and nests.
%%! f(0) ==> {2,by_zero}
%%! f(2) ==> {2,5}
%%! g()  ==> inner
-module(old_catch_in_expressions).
-export([f/1, g/0]).
f(X) -> {(catch throw(1)) + 1, catch divide(10, X)}.
divide(_, 0) -> throw(by_zero);
divide(A, B) -> A div B.
g() -> catch [1, throw(catch throw(inner))].
