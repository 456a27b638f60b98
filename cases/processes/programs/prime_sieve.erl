%% A chain of filters: each process keeps one prime and passes on what it does not divide.
%%! primes(2)  ==> [2]
%%! primes(50) ==> [2,3,5,7,11,13,17,19,23,29,31,37,41,43,47]
-module(prime_sieve).
-export([primes/1]).
primes(N) ->
    Me = self(),
    First = spawn_link(fun() -> filter(Me) end),
    [First ! K || K <- lists:seq(2, N)],
    First ! done,
    receive {primes, Primes} -> Primes end.
filter(To) -> receive done -> To ! {primes, []}; P -> filter(To, P, none) end.
filter(To, P, Next) ->
    receive
        done when Next =:= none -> To ! {primes, [P]};
        done -> Next ! done, receive {primes, Ps} -> To ! {primes, [P | Ps]} end;
        K when K rem P =:= 0 -> filter(To, P, Next);
        K when Next =:= none -> Me = self(), New = spawn_link(fun() -> filter(Me) end), New ! K, filter(To, P, New);
        K -> Next ! K, filter(To, P, Next)
    end.
