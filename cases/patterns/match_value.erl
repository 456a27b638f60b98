%% A match is an expression with the value of its right side.
%%! f(3) ==> {4,4,8,4}
%%! g()  ==> {1,{2,3},2}
-module(match_value).
-export([f/1, g/0]).
f(X) -> Y = Z = X + 1, A = (B = Y) + Z, {Y, Z, A, B}.
g() -> {B, [C = {D, _}]} = {1, [{2, 3}]}, {B, C, D}.
