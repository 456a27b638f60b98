%% Stresses comprehensions over long lists and array: primes by sieving, in two ways.
-module(sieve).
-export([main/1, size/0]).

size() -> 600000.

main(N) ->
    Primes = sieve(lists:seq(2, N div 4), N div 4),
    Array = mark(2, N, array:new(N + 1, {default, prime})),
    {length(Primes), lists:last(Primes), array:foldl(fun(I, prime, C) when I > 1 -> C + 1; (_, _, C) -> C end, 0, Array)}.

sieve([P | Rest], Limit) when P * P =< Limit -> [P | sieve([X || X <- Rest, X rem P =/= 0], Limit)];
sieve(Rest, _) -> Rest.

mark(P, N, Array) when P * P > N -> Array;
mark(P, N, Array) ->
    case array:get(P, Array) of
        prime -> mark(P + 1, N, strike(P * P, P, N, Array));
        composite -> mark(P + 1, N, Array)
    end.

strike(K, _, N, Array) when K > N -> Array;
strike(K, P, N, Array) -> strike(K + P, P, N, array:set(K, composite, Array)).
