%% Stresses spawning with a closure, monitors and joining in order: a parallel map over short lists, again and again.
-module(parallel_maps).
-export([main/1, size/0]).

size() -> 3000.

main(N) -> lists:foldl(fun(K, Sum) -> (Sum + lists:sum(pmap(fun(X) -> work(X + K, 20) end, lists:seq(1, 30)))) band 16#ffffff end, 0, lists:seq(1, N)).

pmap(F, L) -> [receive {'DOWN', R, process, P, {result, Y}} -> Y end || {P, R} <- [spawn_monitor(fun() -> exit({result, F(X)}) end) || X <- L]].

work(X, 0) -> X;
work(X, N) -> work((X * 1103515245 + 12345) band 16#7fffffff, N - 1).
