%% An infinite stream is a fun that gives a head and another fun.
%%! take_squares(5) ==> [1,4,9,16,25]
%%! primes(10)      ==> [2,3,5,7,11,13,17,19,23,29]
-module(lazy_stream).
-export([take_squares/1, primes/1]).
take_squares(N) -> take(N, map(fun(X) -> X * X end, from(1))).
primes(N) -> take(N, sieve(from(2))).
from(N) -> fun() -> {N, from(N + 1)} end.
map(F, S) -> fun() -> {H, T} = S(), {F(H), map(F, T)} end.
filter(P, S) -> fun() -> {H, T} = S(), case P(H) of true -> {H, filter(P, T)}; false -> (filter(P, T))() end end.
sieve(S) -> fun() -> {P, T} = S(), {P, sieve(filter(fun(X) -> X rem P =/= 0 end, T))} end.
take(0, _) -> [];
take(N, S) -> {H, T} = S(), [H | take(N - 1, T)].
