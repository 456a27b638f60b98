%% Euclid on small and big numbers.
%%! f(48, 36)              ==> 12
%%! f(1 bsl 100, 6 bsl 70) ==> 2361183241434822606848
%%! f(-48, 36)             ==> -12
-module(gcd).
-export([f/2]).
f(A, 0) -> A;
f(A, B) -> f(B, A rem B).
