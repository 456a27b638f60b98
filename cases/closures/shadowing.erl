%% A fun's parameters shadow outer variables; its body's matches do not.
%%! f(1) ==> {1,20,1}
%%! g(5) ==> same
%%! g(6) ==> error {badmatch,5}
-module(shadowing).
-export([f/1, g/1]).
f(X) ->
    F = fun(X) -> X * 10 end,
    {X, F(2), X}.
g(X) ->
    F = fun(Y) -> X = Y, same end,
    F(5).
