%% List comprehensions: generators, filters, nesting.
%%! f([1, 2, 3, 4])          ==> {[1,4,9,16],[2,4],[2,3]}
%%! pythagoras(20)           ==> [{3,4,5},{5,12,13},{6,8,10},{8,15,17},{9,12,15},{12,16,20}]
%%! pairs([1, 2], [a, b, c]) ==> [{1,a},{1,b},{1,c},{2,a},{2,b},{2,c}]
%%! dependent()              ==> [{1,1},{2,1},{2,2},{3,1},{3,2},{3,3}]
-module(list).
-export([f/1, pythagoras/1, pairs/2, dependent/0]).
f(L) -> {[X * X || X <- L], [X || X <- L, X rem 2 =:= 0], [X || X <- L, X > 1, X < 4]}.
pythagoras(N) -> [{A, B, C} || A <- lists:seq(1, N), B <- lists:seq(A, N), C <- lists:seq(B, N), A * A + B * B =:= C * C].
pairs(Xs, Ys) -> [{X, Y} || X <- Xs, Y <- Ys].
dependent() -> [{X, Y} || X <- [1, 2, 3], Y <- lists:seq(1, X)].
