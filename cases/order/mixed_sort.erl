%% Sorting is stable under ==, and usort drops equal elements.
%%! lists:sort([1.0, 1, 2, 2.0, 1])  ==> [1.0,1,1,2,2.0]
%%! lists:usort([1.0, 1, 2, 2.0, 1]) ==> [1.0,2]
%%! f()                              ==> {[{1.0,a},{1,a},{1,b}],[{0,c},{1,b},{1.0,a}],1,1.0}
-module(mixed_sort).
-export([f/0]).
f() -> {lists:sort([{1, b}, {1.0, a}, {1, a}]), lists:keysort(1, [{1, b}, {1.0, a}, {0, c}]), lists:max([1, 1.0]),
    lists:max([1.0, 1])}.
