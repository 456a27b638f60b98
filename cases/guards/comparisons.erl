%% Comparisons in guards are over all terms.
%%! f(1, 1.0)   ==> equal
%%! f(1, 2)     ==> less
%%! f(a, 1)     ==> greater
%%! f("a", {a}) ==> greater
%%! f(x, x)     ==> exactly
-module(comparisons).
-export([f/2]).
f(A, B) when A =:= B -> exactly;
f(A, B) when A == B -> equal;
f(A, B) when A < B, A =/= B, A /= B, A =< B -> less;
f(A, B) when A > B, A >= B -> greater.
