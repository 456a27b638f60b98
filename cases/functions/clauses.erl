%% Function clauses are tried from top to bottom; none is function_clause.
%%! f(0, any)     ==> zero
%%! f(1, [])      ==> one_empty
%%! f(1, [x | y]) ==> {one,x,y}
%%! f(2, {a})     ==> {2,a}
%%! f(3, a)       ==> error function_clause
-module(clauses).
-export([f/2]).
f(0, _) -> zero;
f(1, []) -> one_empty;
f(1, [H | T]) -> {one, H, T};
f(N, {A}) when N > 1 -> {N, A}.
