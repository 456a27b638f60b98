%% Map patterns ask for keys and leave the others alone.
%%! f(#{a => 1})         ==> {a,1}
%%! f(#{a => 1, b => 2}) ==> {both,1,2}
%%! f(#{b => 2, c => 3}) ==> {b,2,2}
%%! f(#{})               ==> map
%%! f([])                ==> no_map
-module(map_keys).
-export([f/1]).
f(#{a := A, b := B}) -> {both, A, B};
f(#{a := A}) -> {a, A};
f(#{b := B} = M) -> {b, B, map_size(M)};
f(#{}) -> map;
f(_) -> no_map.
