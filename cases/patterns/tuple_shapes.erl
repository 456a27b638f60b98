%% Tuple patterns tell sizes apart.
%%! f({})            ==> empty
%%! f({a})           ==> {one,a}
%%! f({a, b})        ==> {two,b,a}
%%! f({{a}, b, [c]}) ==> {nested,a,c}
%%! f({1, 2, 3, 4})  ==> {size,4}
%%! f([a])           ==> no_tuple
-module(tuple_shapes).
-export([f/1]).
f({}) -> empty;
f({X}) -> {one, X};
f({X, Y}) -> {two, Y, X};
f({{X}, _, [Y]}) -> {nested, X, Y};
f(T) when is_tuple(T) -> {size, tuple_size(T)};
f(_) -> no_tuple.
