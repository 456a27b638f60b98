%% Folding over a large map visits every pair once, in one consistent order.
%%! f(500) ==> {true,true,true,250500,250}
-module(large_iteration).
-export([f/1]).
f(N) ->
    M = maps:from_list([{I, I * 2} || I <- lists:seq(1, N)]),
    Keys = maps:keys(M),
    {lists:sort(Keys) =:= lists:seq(1, N), [V div 2 || V <- maps:values(M)] =:= Keys, [K || {K, _} <- maps:to_list(M)] =:= Keys,
     maps:fold(fun(_, V, S) -> V + S end, 0, M), map_size(maps:filter(fun(K, _) -> K rem 2 =:= 0 end, M))}.
