%% Two different patterns may both describe one value.
%%! f([1, 2, 3])         ==> {1,2,3}
%%! f([1, 2])            ==> no
%%! g(#{a => 1, b => 2}) ==> {1,2}
%%! g(#{a => 1})         ==> no
-module(alias_of_aliases).
-export([f/1, g/1]).
f([A | _] = [_, B | _] = [_, _, C]) -> {A, B, C};
f(_) -> no.
g(#{a := A} = #{b := B}) -> {A, B};
g(_) -> no.
