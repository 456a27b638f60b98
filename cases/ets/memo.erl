%% A memo table for Fibonacci.
%%! f(90) ==> {2880067194370816120,89}
-module(memo).
-export([f/1]).
f(N) -> T = ets:new(memo, [private]), R = fib(T, N), {R, ets:info(T, size)}.
fib(_, N) when N < 2 -> N;
fib(T, N) ->
    case ets:lookup(T, N) of
        [{_, V}] -> V;
        [] -> V = fib(T, N - 1) + fib(T, N - 2), ets:insert(T, {N, V}), V
    end.
