%% An iterator gives every pair once.
%%! f(#{1 => a, 2 => b, 3 => c}) ==> [{1,a},{2,b},{3,c}]
%%! f(#{})                       ==> []
%%! g(100)                       ==> {100,5050}
-module(iterator).
-export([f/1, g/1]).
f(M) -> walk(maps:next(maps:iterator(M))).
walk(none) -> [];
walk({K, V, I}) -> [{K, V} | walk(maps:next(I))].
g(N) -> M = maps:from_list([{I, I} || I <- lists:seq(1, N)]), L = f(M), {length(L), lists:sum([V || {_, V} <- L])}.
