%% is_function/2 tells the arity and fails on a bad arity.
%%! f(0)  ==> no
%%! f(2)  ==> yes
%%! f(a)  ==> no
%%! f(-1) ==> no
%%! g(a)  ==> error badarg
-module(is_function_arity).
-export([f/1, g/1]).
f(N) when is_function(abs, N) -> impossible;
f(N) ->
    F = fun(X, Y) -> {X, Y} end,
    if is_function(F, N) -> yes; true -> no end.
g(N) -> is_function(fun() -> ok end, N).
