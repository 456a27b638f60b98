%% Recursion without names: a fun that is given itself.
%%! f(10) ==> 55
-module(y_combinator).
-export([f/1]).
y(F) -> G = fun(X) -> F(fun(V) -> (X(X))(V) end) end, G(G).
f(N) -> (y(fun(Self) -> fun(0) -> 0; (K) -> K + Self(K - 1) end end))(N).
