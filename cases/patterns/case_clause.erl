%% A case that matches nothing raises case_clause with the value.
%%! f(a)        ==> ok
%%! f({b, [1]}) ==> error {case_clause,{b,[1]}}
%%! g(5)        ==> 10
%%! g(50)       ==> error {case_clause,100}
-module(case_clause).
-export([f/1, g/1]).
f(X) -> case X of a -> ok end.
g(X) -> case X * 2 of N when N < 20 -> N end.
