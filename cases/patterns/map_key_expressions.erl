%% A key in a map pattern may be a bound variable or a guard expression.
%%! f(x, #{x => 1})                ==> {found,1}
%%! f(x, #{y => 1})                ==> missing
%%! g(2, #{3 => three, 4 => four}) ==> {three,four}
%%! h([1], #{{k, 1} => v})         ==> v
%%! h([], #{{k, 1} => v})          ==> no
-module(map_key_expressions).
-export([f/2, g/2, h/2]).
f(K, M) -> case M of #{K := V} -> {found, V}; #{} -> missing end.
g(N, M) -> case M of #{N + 1 := A, N * 2 := B} -> {A, B}; _ -> no end.
h(L, M) -> case M of #{{k, hd(L)} := V} -> V; _ -> no end.
