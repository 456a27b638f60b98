%% Stresses list comprehensions with filters: quicksort of pseudo-random numbers.
-module(quicksort_lists).
-export([main/1, size/0]).

size() -> 500000.

main(N) ->
    Sorted = sort(random(N, 12345, [])),
    true = ordered(Sorted),
    {hd(Sorted), lists:last(Sorted), length(Sorted)}.

sort([]) -> [];
sort([P | Rest]) -> sort([X || X <- Rest, X < P]) ++ [P | sort([X || X <- Rest, X >= P])].

ordered([A | [B | _] = T]) -> A =< B andalso ordered(T);
ordered(_) -> true.

random(0, _, Acc) -> Acc;
random(N, Seed, Acc) ->
    Next = (Seed * 1103515245 + 12345) band 16#7fffffff,
    random(N - 1, Next, [Next | Acc]).
