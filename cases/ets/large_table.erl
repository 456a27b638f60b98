%% Ten thousand inserts, updates and lookups.
%%! f(10000) ==> {1000,9500500}
-module(large_table).
-export([f/1]).
f(N) ->
    T = ets:new(t, []),
    [ets:insert(T, {I rem 1000, I}) || I <- lists:seq(1, N)],
    {ets:info(T, size), lists:sum([ets:lookup_element(T, K, 2) || K <- lists:seq(0, 999)])}.
