%% Arithmetic in guards fails quietly where it would raise.
%%! f(10, 2)   ==> five
%%! f(10, 0)   ==> sum
%%! f(a, 1)    ==> failed
%%! f(7, 3)    ==> one
%%! g(1.0e308) ==> overflow
-module(arithmetic).
-export([f/2, g/1]).
f(X, Y) when X div Y =:= 5 -> five;
f(X, Y) when X rem Y =:= 1, X bsl Y > 50 -> one;
f(X, Y) when X + Y > 9 -> sum;
f(_, _) -> failed.
g(X) when X * 10 > 0 -> yes;
g(_) -> overflow.
