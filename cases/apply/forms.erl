%% A call by name comes in many forms, and all mean the same.
%%! f(lists, reverse, [[1, 2, 3]]) ==> {[3,2,1],[3,2,1]}
%%! g(lists, reverse)              ==> {[b,a],[b,a],[b,a]}
%%! h()                            ==> {[2,1],none}
-module(forms).
-export([f/3, g/2, h/0]).
f(M, F, Args) -> {apply(M, F, Args), erlang:apply(M, F, Args)}.
g(M, F) -> {M:F([a, b]), M:reverse([a, b]), lists:F([a, b])}.
h() -> {apply(fun lists:reverse/1, [[1, 2]]), apply(fun() -> none end, [])}.
