%% A float stays a float, even with an integral value.
%%! f(4, 2)   ==> {2.0,true,true,false,true,6,true}
%%! f(4.0, 2) ==> {2.0,true,true,false,true,6.0,false}
-module(integer_valued).
-export([f/2]).
f(A, B) -> X = A / B, {X, is_float(X), X == 2, X =:= 2, trunc(X) =:= 2, A + B, is_integer(A * B)}.
