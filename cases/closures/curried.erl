%% Funs return funs to any depth.
%%! f()       ==> {1,2,3}
%%! compose() ==> 15
-module(curried).
-export([f/0, compose/0]).
f() -> (((add())(1))(2))(3).
add() -> fun(A) -> fun(B) -> fun(C) -> {A, B, C} end end end.
compose() ->
    Fs = [fun(X) -> X + 1 end, fun(X) -> X * 2 end, fun(X) -> X - 3 end],
    All = lists:foldr(fun(F, G) -> fun(X) -> F(G(X)) end end, fun(X) -> X end, Fs),
    All(10).
