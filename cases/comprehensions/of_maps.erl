%% Comprehensions over maps:to_list, with map patterns inside.
%%! f(#{a => 1, b => 2, c => 3})                         ==> #{b => 20,c => 30}
%%! g([#{k => a, v => 1}, #{k => b}, #{k => c, v => 3}]) ==> [{a,1},{c,3}]
-module(of_maps).
-export([f/1, g/1]).
f(M) -> maps:from_list([{K, V * 10} || {K, V} <- maps:to_list(M), V > 1]).
g(L) -> [{K, V} || #{k := K, v := V} <- L].
