%% Sorting is stable, for short lists and long.
%%! f(1000) ==> {true,true,[{0,10},{0,20},{0,30}]}
-module(stability).
-export([f/1]).
f(N) ->
    L = [{(I * 7919) rem 10, I} || I <- lists:seq(1, N)],
    S = lists:keysort(1, L),
    Stable = fun({K, A}, {K, B}) -> A < B; ({A, _}, {B, _}) -> A < B end,
    {S =:= lists:sort(fun({A, _}, {B, _}) -> A =< B end, L), pairs(Stable, S), lists:sublist(S, 3)}.
pairs(F, [A, B | T]) -> F(A, B) andalso pairs(F, [B | T]);
pairs(_, _) -> true.
