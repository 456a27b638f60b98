%% A value that no of clause matches raises try_clause.
%%! f(1) ==> one
%%! f(2) ==> error {try_clause,2}
%%! g(2) ==> {outside,2}
-module(try_clause).
-export([f/1, g/1]).
f(X) -> try id(X) of 1 -> one catch error:R -> {caught, R} end.
g(X) -> try f(X) catch error:{try_clause, V} -> {outside, V} end.
id(X) -> X.
