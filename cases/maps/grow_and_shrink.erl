%% A map that grows large and shrinks back is the small map again.
%%! f(40) ==> {#{1 => 1,2 => 2,3 => 3},true,40}
-module(grow_and_shrink).
-export([f/1]).
f(N) ->
    Big = maps:from_list([{I, I} || I <- lists:seq(1, N)]),
    Small = lists:foldl(fun maps:remove/2, Big, lists:seq(4, N)),
    {Small, Small =:= #{1 => 1, 2 => 2, 3 => 3}, map_size(Big)}.
