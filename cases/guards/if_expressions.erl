%% if takes the first true guard; none raises if_clause.
%%! f(5)  ==> positive
%%! f(0)  ==> zero
%%! f(-5) ==> negative
%%! g(a)  ==> atom
%%! g(1)  ==> error if_clause
-module(if_expressions).
-export([f/1, g/1]).
f(X) -> if X > 0 -> positive; X < 0 -> negative; true -> zero end.
g(X) -> if is_atom(X) -> atom end.
