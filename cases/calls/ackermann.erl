%% Doubly recursive calls that are not in tail position.
%%! f(2, 3) ==> 9
%%! f(3, 4) ==> 125
-module(ackermann).
-export([f/2]).
f(0, N) -> N + 1;
f(M, 0) -> f(M - 1, 1);
f(M, N) -> f(M - 1, f(M, N - 1)).
