%% A fun keeps the values its variables had when it was made.
%%! f(10) ==> {11,21,"\v\f\r"}
%%! g()   ==> [1,4,9]
-module(capture).
-export([f/1, g/0]).
f(X) ->
    Add = fun(Y) -> X + Y end,
    Twice = fun(Z) -> Add(Add(Z)) end,
    {Add(1), Twice(1), lists:map(Add, [1, 2, 3])}.
g() ->
    Funs = [fun() -> I * I end || I <- [1, 2, 3]],
    [F() || F <- Funs].
