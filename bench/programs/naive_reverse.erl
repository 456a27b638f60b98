%% Stresses list construction: the quadratic reversal by appending.
-module(naive_reverse).
-export([main/1, size/0]).

size() -> 1400.

main(N) ->
    L = numbers(N, []),
    {hd(rounds(60, L)), N}.

rounds(0, L) -> L;
rounds(K, L) -> rounds(K - 1, reverse(L)).

reverse([]) -> [];
reverse([H | T]) -> append(reverse(T), [H]).

append([], L) -> L;
append([H | T], L) -> [H | append(T, L)].

numbers(0, Acc) -> Acc;
numbers(N, Acc) -> numbers(N - 1, [N | Acc]).
