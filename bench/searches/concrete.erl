%% Programs whose work has nothing to do with the argument, which is alive all along.
-module(concrete).
-export([fib/1, interpreter/1, map_small/1, quicksort_lists/1]).

-spec fib(integer()) -> {term(), integer()}.
fib(Unrelated) -> {fib:main(24), Unrelated}.

-spec interpreter(integer()) -> {term(), integer()}.
interpreter(Unrelated) -> {interpreter:main(200), Unrelated}.

-spec map_small(integer()) -> {term(), integer()}.
map_small(Unrelated) -> {map_small:main(100000), Unrelated}.

-spec quicksort_lists(integer()) -> {term(), integer()}.
quicksort_lists(Unrelated) -> {quicksort_lists:main(10000), Unrelated}.
