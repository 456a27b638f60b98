%% map, filter, fold, filtermap, foreach and friends.
%%! f(#{a => 1, b => 2, c => 3}) ==> {#{a => {a,1},b => {b,2},c => {c,3}},#{b => 2,c => 3},6,#{a => 1,c => 9},#{a => 1},#{b => 2,c => 3}}
%%! g(#{a => 1, b => 2})         ==> {#{a => 11,b => 2},#{0 => [2],1 => [1,3]}}
%%! g([])                        ==> error {badmap,[]}
-module(higher_order).
-export([f/1, g/1]).
f(M) ->
    {maps:map(fun(K, V) -> {K, V} end, M), maps:filter(fun(_, V) -> V > 1 end, M),
     maps:fold(fun(_, V, S) -> V + S end, 0, M),
     maps:filtermap(fun(_, V) -> if V > 2 -> {true, V * V}; true -> V =:= 1 end end, M),
     maps:with([a, z], M), maps:without([a, z], M)}.
g(M) -> {maps:merge_with(fun(_, A, B) -> A + B end, M, #{a => 10}), maps:groups_from_list(fun(X) -> X rem 2 end, [1, 2, 3])}.
