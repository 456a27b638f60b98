%% In a guard, a comma is and, a semicolon is or.
%%! f(1)  ==> inside
%%! f(15) ==> outside
%%! f(25) ==> inside
%%! f(a)  ==> no_integer
-module(comma_semicolon).
-export([f/1]).
f(X) when X > 0, X < 10; X > 20, X < 30 -> inside;
f(X) when is_integer(X) -> outside;
f(_) -> no_integer.
