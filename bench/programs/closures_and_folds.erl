%% Stresses funs: composition, partial application and the higher-order functions of lists.
-module(closures_and_folds).
-export([main/1, size/0]).

size() -> 1300000.

main(N) ->
    Stages = [add(3), scale(3), fun(X) -> X rem 1000 end, twice(add(1)), fun erlang:abs/1],
    Pipeline = lists:foldr(fun compose/2, fun(X) -> X end, Stages),
    L = lists:map(Pipeline, lists:seq(1, N)),
    Even = lists:filter(fun(X) -> X rem 2 =:= 0 end, L),
    {Min, Max} = lists:foldl(fun(X, {Low, High}) -> {min(X, Low), max(X, High)} end, {N, 0}, L),
    {_, Runs} = lists:mapfoldl(fun(X, S) -> {X + S, (S * 31 + X) band 16#ffff} end, 0, Even),
    {length(Even), Min, Max, Runs, lists:foldr(fun(X, Acc) -> (Acc + X) rem 99991 end, 0, L)}.

add(K) -> fun(X) -> X + K end.
scale(K) -> fun(X) -> X * K end.
twice(F) -> fun(X) -> F(F(X)) end.
compose(F, G) -> fun(X) -> G(F(X)) end.
