%% Stresses calls, small integer arithmetic and guards: doubly recursive Fibonacci.
-module(fib).
-export([main/1, size/0]).

size() -> 38.

main(N) -> fib(N).

fib(N) when N < 2 -> N;
fib(N) -> fib(N - 1) + fib(N - 2).
