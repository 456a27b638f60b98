%% An alias names the whole and the parts, on either side and nested.
%%! f({ok, [1, 2]}) ==> {1,[1,2],{ok,[1,2]}}
%%! f([x, y])       ==> {x,y,[y]}
%%! g({a, {b, c}})  ==> {{a,{b,c}},a,{b,c},b}
%%! h(<<1, 2, 3>>)  ==> {1,3}
-module(aliases).
-export([f/1, g/1, h/1]).
f({ok, [H | _] = List} = All) -> {H, List, All};
f([A, B] = [A | Rest]) -> {A, B, Rest}.
g(T = {X, Inner = {Y, _}}) -> {T, X, Inner, Y}.
h(<<A, _/binary>> = Whole) -> {A, byte_size(Whole)}.
