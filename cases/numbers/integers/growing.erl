%% Sums and products grow into big integers and come back.
%%! f(25)  ==> 15511210043330985984000000
%%! g(100) ==> 354224848179261915075
%%! h()    ==> 5
-module(growing).
-export([f/1, g/1, h/0]).
f(N) -> lists:foldl(fun(X, P) -> X * P end, 1, lists:seq(1, N)).
g(N) -> {A, _} = lists:foldl(fun(_, {A, B}) -> {B, A + B} end, {0, 1}, lists:seq(1, N)), A.
h() -> X = 1 bsl 200, (X + 5) - X.
