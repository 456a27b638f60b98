%% 1 and 1.0 are different keys; any term is a key.
%%! f() ==> {2,int,float,#{1 => int,1.0 => float}}
%%! g() ==> {6,#{2.5 => 7,a => 6,{} => 2,#{} => 3,[] => 5,<<>> => 4}}
-module(exact_keys).
-export([f/0, g/0]).
f() -> M = #{1 => int, 1.0 => float}, {map_size(M), maps:get(1, M), maps:get(1.0, M), M}.
g() -> M = #{[] => 1, {} => 2, #{} => 3, <<>> => 4, "" => 5, a => 6, 2.5 => 7}, {map_size(M), M}.
