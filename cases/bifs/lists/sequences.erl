%% lists:seq with steps, and its errors.
%%! f(1, 5)      ==> [1,2,3,4,5]
%%! f(5, 1)      ==> error function_clause
%%! f(1, 0)      ==> []
%%! g(1, 10, 3)  ==> [1,4,7,10]
%%! g(10, 1, -4) ==> [10,6,2]
%%! g(1, 1, 0)   ==> [1]
%%! g(1, 5, 0)   ==> error badarg
%%! g(1, 5, -1)  ==> error badarg
-module(sequences).
-export([f/2, g/3]).
f(A, B) -> lists:seq(A, B).
g(A, B, S) -> lists:seq(A, B, S).
