%% A shop's stock: how many of what, and at which price.
-module(stock).
-export([new/1, take/3, total/1]).

-record(item, {count = 0 :: non_neg_integer(), price = 0 :: non_neg_integer()}).
-type stock() :: #{atom() => #item{}}.

-spec new([{atom(), non_neg_integer(), non_neg_integer()}]) -> stock().
new(Items) -> maps:from_list([{Name, #item{count = Count, price = Price}} || {Name, Count, Price} <- Items]).

-spec take(atom(), non_neg_integer(), stock()) -> stock().
take(Name, Count, Stock) ->
    case Stock of
        #{Name := #item{count = Have} = Item} when Have >= Count -> Stock#{Name := Item#item{count = Have - Count}};
        #{Name := #item{count = Have}} -> error({only, Have, Name});
        #{} -> error({unknown, Name})
    end.

-spec total(stock()) -> non_neg_integer().
total(Stock) -> lists:sum([Count * Price || #item{count = Count, price = Price} <- maps:values(Stock)]).
