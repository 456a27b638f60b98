%% size, byte_size, tuple_size, map_size on right and wrong kinds.
%%! f({a, b})      ==> [2,badarg,badarg,2,{badmap,{a,b}},badarg]
%%! f(<<1, 2, 3>>) ==> [3,3,24,badarg,{badmap,<<1,2,3>>},badarg]
%%! f(#{a => 1})   ==> [badarg,badarg,badarg,badarg,1,badarg]
%%! f("list")      ==> [badarg,badarg,badarg,badarg,{badmap,"list"},4]
-module(sizes_of_things).
-export([f/1]).
f(X) -> [try erlang:F(X) catch error:R -> R end || F <- [size, byte_size, bit_size, tuple_size, map_size, length]].
