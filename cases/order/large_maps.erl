%% Large maps are equal whatever the order they were built in, and compare by sorted keys.
%%! f(100) ==> {true,true,true,true,true,true}
-module(large_maps).
-export([f/1]).
f(N) ->
    L = [{I, I * I} || I <- lists:seq(1, N)],
    A = maps:from_list(L),
    B = lists:foldl(fun({K, V}, M) -> M#{K => V} end, #{}, lists:reverse(L)),
    {A =:= B, A == B, A < B#{1 => 2}, A > B#{N => 0}, A < B#{0 => 0}, B#{50 := 0} < A}.
