%% An update makes a new map; the old one stays as it was.
%%! f() ==> [#{x => 1,y => 2},#{x => 9,y => 2},#{x => 9,y => 2,z => 3},#{x => 9,z => 3}]
-module(update_shares).
-export([f/0]).
f() -> A = #{x => 1, y => 2}, B = A#{x := 9}, C = B#{z => 3}, D = maps:remove(y, C), [A, B, C, D].
