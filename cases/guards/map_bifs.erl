%% map_get and is_map_key in guards, on missing keys and non-maps.
%%! f(#{a => 1})         ==> a_is_one
%%! f(#{a => 2, b => 1}) ==> both
%%! f(#{b => 1})         ==> map
%%! f(x)                 ==> no_map
-module(map_bifs).
-export([f/1]).
f(M) when map_get(a, M) =:= 1 -> a_is_one;
f(M) when is_map_key(b, M), is_map_key(a, M) -> both;
f(M) when is_map(M) -> map;
f(_) -> no_map.
