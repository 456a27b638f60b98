%% A term nested a hundred thousand deep is built, compared and taken apart.
%%! f(100000) ==> {true,false,true,100000}
%%! g(100000) ==> []
-module(deep_term).
-export([f/1, g/1]).
f(N) -> A = nest(N, leaf), B = nest(N, leaf), C = nest(N, other), {A =:= B, A =:= C, A < C, depth(A, 0)}.
g(N) -> T = lists:foldl(fun(_, Acc) -> [Acc] end, [], lists:seq(1, N)), lists:flatten(T).
nest(0, Leaf) -> Leaf;
nest(N, Leaf) -> nest(N - 1, {Leaf}).
depth({T}, N) -> depth(T, N + 1);
depth(_, N) -> N.
