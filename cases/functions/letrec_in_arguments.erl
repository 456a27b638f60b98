%% Comprehensions and named funs as arguments of calls, inside guards' cases.
%%! f(4) ==> {10,[4,3,2,1],<<4,4>>,[5,5,5,5]}
-module(letrec_in_arguments).
-export([f/1]).
f(N) ->
    sum([X || X <- lists:seq(1, N)], (fun Down(0) -> []; Down(K) -> [K | Down(K - 1)] end)(N), << <<X>> || X <- [N, N] >>).
sum(A, B, C) -> {lists:sum(A), B, C, [X + Y || {X, Y} <- lists:zip(A, B)]}.
