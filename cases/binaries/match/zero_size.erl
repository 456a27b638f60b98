%% A segment of size zero matches anywhere, with the value zero or empty.
%%! f(<<>>)  ==> {0,<<>>,<<>>}
%%! f(<<7>>) ==> {0,<<>>,<<7>>}
%%! g(<<1>>) ==> {0,1,<<>>}
-module(zero_size).
-export([f/1, g/1]).
f(<<A:0, B:0/binary, Rest/binary>>) -> {A, B, Rest}.
g(B) -> N = 0, <<A:N, X:8, C:N/bits>> = B, {A, X, C}.
