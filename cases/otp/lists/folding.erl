%% Folds and maps with state.
%%! f([1, 2, 3]) ==> {[3,2,1],[1,2,3],{[1,4,12],7},{[6,8,3],7}}
%%! g([1, 2, 3]) ==> {[1,1,2,2,3,3],[-2,-3],ok,3}
-module(folding).
-export([f/1, g/1]).
f(L) ->
    {lists:foldl(fun(X, A) -> [X | A] end, [], L), lists:foldr(fun(X, A) -> [X | A] end, [], L),
     lists:mapfoldl(fun(X, S) -> {X * S, S + X} end, 1, L), lists:mapfoldr(fun(X, S) -> {X * S, S + X} end, 1, L)}.
g(L) -> {lists:flatmap(fun(X) -> [X, X] end, L),
    lists:filtermap(fun(X) -> if X > 1 -> {true, -X}; true -> false end end, L),
    lists:foreach(fun(X) -> put(X, X) end, L), get(3)}.
