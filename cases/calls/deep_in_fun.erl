%% Deep recursion through closures and library folds.
%%! f(200000) ==> 200000
%%! g(200000) ==> 20000100000
-module(deep_in_fun).
-export([f/1, g/1]).
f(N) -> (fun Down(0) -> 0; Down(K) -> 1 + Down(K - 1) end)(N).
g(N) -> lists:foldr(fun(X, Acc) -> X + Acc end, 0, lists:seq(1, N)).
