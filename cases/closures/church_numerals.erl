%% Numbers as functions: addition, multiplication, power.
%%! f() ==> [2,5,6,8]
-module(church_numerals).
-export([f/0]).
f() ->
    Two = church(2), Three = church(3),
    [number(N) || N <- [Two, plus(Two, Three), times(Two, Three), power(Two, Three)]].
church(0) -> fun(_) -> fun(X) -> X end end;
church(N) -> fun(S) -> fun(X) -> S(((church(N - 1))(S))(X)) end end.
plus(A, B) -> fun(S) -> fun(X) -> (A(S))((B(S))(X)) end end.
times(A, B) -> fun(S) -> A(B(S)) end.
power(A, B) -> B(A).
number(N) -> (N(fun(X) -> X + 1 end))(0).
