%% flatten, append, concat, join, duplicate.
%%! f([1, [2, [3, []], 4], [[[5]]]]) ==> {[1,2,3,4,5],[1,2,3,4,5,tail],5}
%%! g()                              ==> {[1,2,3],"a1s2.50000000000000000000e+00",[1,x,2,x,3],[z,z,z]}
%%! h([1 | 2])                       ==> error function_clause
-module(flattening).
-export([f/1, g/0, h/1]).
f(L) -> {lists:flatten(L), lists:flatten(L, [tail]), lists:flatlength(L)}.
g() -> {lists:append([[1], [2, 3], []]), lists:concat([a, 1, "s", 2.5]), lists:join(x, [1, 2, 3]), lists:duplicate(3, z)}.
h(L) -> lists:flatten(L).
