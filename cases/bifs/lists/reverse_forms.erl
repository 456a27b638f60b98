%% lists:reverse/1 and /2.
%%! f([1, 2, 3], [a]) ==> {[3,2,1,a],[3,2,1]}
%%! f([], x)          ==> {x,[]}
%%! f([1 | 2], [])    ==> error badarg
%%! f(x, [])          ==> error badarg
-module(reverse_forms).
-export([f/2]).
f(L, Tail) -> {lists:reverse(L, Tail), lists:reverse(L)}.
