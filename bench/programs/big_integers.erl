%% Stresses arithmetic beyond the machine word: factorials, Fibonacci numbers, modular powers, printing.
-module(big_integers).
-export([main/1, size/0]).

size() -> 11000.

main(N) ->
    F = factorial(N, 1),
    Fib = fibonacci(N * 8, 0, 1),
    Power = lists:foldl(fun(I, Acc) -> modpow(Acc + I, (1 bsl 521) - 1 - I, (1 bsl 607) - 1) end, 3, lists:seq(1, 8)),
    {digits(F), Fib rem 1000000007, Power rem 1000000007, F rem (1 bsl 61 - 1), gcd(F, Fib) rem 1000007}.

factorial(0, Acc) -> Acc;
factorial(N, Acc) -> factorial(N - 1, Acc * N).

fibonacci(0, A, _) -> A;
fibonacci(N, A, B) -> fibonacci(N - 1, B, A + B).

modpow(_, 0, _) -> 1;
modpow(B, E, M) when E band 1 =:= 0 -> modpow(B * B rem M, E bsr 1, M);
modpow(B, E, M) -> B * modpow(B * B rem M, E bsr 1, M) rem M.

gcd(A, 0) -> A;
gcd(A, B) -> gcd(B, A rem B).

digits(N) -> lists:sum([C - $0 || C <- integer_to_list(N)]).
