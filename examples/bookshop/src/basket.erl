%% What is in a basket, and what it costs.
-module(basket).
-export([total/2, average/1, split/2]).

-export_type([item/0]).
-type cents() :: non_neg_integer().
-type item() :: {Title :: string(), cents(), Copies :: pos_integer()}.
-type discount() :: none | {percent, 0..100} | {minus, cents()}.

-spec total([item()], discount()) -> cents().
total(Items, Discount) ->
    Sum = lists:sum([Price * Copies || {_, Price, Copies} <- Items]),
    discounted(Sum, Discount).

discounted(Sum, none) -> Sum;
discounted(Sum, {percent, Percent}) -> Sum * (100 - Percent) div 100;
discounted(Sum, {minus, Cents}) -> Sum - Cents.

%% Of one copy.
-spec average([item()]) -> cents().
average(Items) ->
    Copies = lists:sum([Number || {_, _, Number} <- Items]),
    total(Items, none) div Copies.

%% Shares that differ by a cent at most.
-spec split(cents(), pos_integer()) -> [cents()].
split(Cents, Friends) ->
    Share = Cents div Friends,
    Rest = Cents rem Friends,
    lists:duplicate(Rest, Share + 1) ++ lists:duplicate(Friends - Rest, Share).
