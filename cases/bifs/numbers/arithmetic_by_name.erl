%% The operators as functions of erlang.
%%! f(7, 2) ==> [9,5,14,3.5,3,1,2,7,5,28,1]
%%! g(6)    ==> {-6,6,-7}
-module(arithmetic_by_name).
-export([f/2, g/1]).
f(A, B) -> [erlang:Op(A, B) || Op <- ['+', '-', '*', '/', 'div', 'rem', 'band', 'bor', 'bxor', 'bsl', 'bsr']].
g(A) -> {erlang:'-'(A), erlang:'+'(A), erlang:'bnot'(A)}.
