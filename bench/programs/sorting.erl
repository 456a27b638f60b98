%% Stresses the sort family of lists: sort, usort, keysort, sort by a fun, and merging.
-module(sorting).
-export([main/1, size/0]).

size() -> 220000.

main(N) ->
    L = random(N, 77, []),
    Pairs = [{X rem 1000, X} || X <- L],
    Sorted = lists:sort(L),
    Unique = lists:usort([X rem 5000 || X <- L]),
    ByKey = lists:keysort(1, Pairs),
    Down = lists:sort(fun(A, B) -> A >= B end, L),
    Down = lists:reverse(Sorted),
    Merged = lists:merge(Sorted, Unique),
    {hd(Sorted), length(Unique), element(2, hd(ByKey)), length(Merged), lists:nth(N div 2, Sorted)}.

random(0, _, Acc) -> Acc;
random(N, Seed, Acc) ->
    Next = (Seed * 1103515245 + 12345) band 16#7fffffff,
    random(N - 1, Next, [Next | Acc]).
