%% Stresses the collector: gigabytes of short-lived lists, tuples, maps and binaries, little of it alive.
%%
%% The live set is a ring of a few thousand small terms, so a heap of a hundred megabytes is plenty.
-module(allocation_churn).
-export([main/1, size/0]).

size() -> 64000000.

main(N) -> churn(N, 1, window(64, []), 0).

churn(0, _, Window, Sum) -> {Sum, length(Window)};
churn(N, Seed, Window, Sum) ->
    Next = (Seed * 1103515245 + 12345) band 16#7fffffff,
    Garbage = garbage(N band 7, Next),
    case N band 1023 of
        0 -> churn(N - 1, Next, keep(Garbage, Window), (Sum + weigh(Garbage)) band 16#ffffff);
        _ -> churn(N - 1, Next, Window, (Sum + weigh(Garbage)) band 16#ffffff)
    end.

garbage(0, X) -> lists:seq(X, X + 20);
garbage(1, X) -> {X, {X + 1, {X + 2, [X, X]}}};
garbage(2, X) -> #{a => X, b => [X], c => {X}};
garbage(3, X) -> <<X:64, X:64/little>>;
garbage(4, X) -> [{K, X} || K <- [a, b, c, d, e, f]];
garbage(5, X) -> integer_to_list(X);
garbage(6, X) -> fun(Y) -> X + Y end;
garbage(7, X) -> X / 7.

weigh(L) when is_list(L) -> length(L);
weigh(T) when is_tuple(T) -> element(1, T);
weigh(M) when is_map(M) -> map_size(M);
weigh(B) when is_binary(B) -> byte_size(B);
weigh(F) when is_function(F) -> F(1);
weigh(F) when is_float(F) -> trunc(F).

keep(Term, Window) -> [Term | lists:droplast(Window)].

window(0, Acc) -> Acc;
window(N, Acc) -> window(N - 1, [none | Acc]).
