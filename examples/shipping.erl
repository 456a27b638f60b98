%% What it costs to send a parcel, in cents.
-module(shipping).
-export([cost/3]).

-type coupon() :: none | {percent, 0..100} | {minus, non_neg_integer()}.

-spec cost(Grams :: pos_integer(), home | abroad, coupon()) -> non_neg_integer().
cost(Grams, Zone, Coupon) ->
    discount(base(Grams, Zone), Coupon).

base(Grams, home) when Grams =< 1000 -> 499;
base(Grams, home) when Grams =< 5000 -> 899;
base(Grams, home) when Grams < 30000 -> 1649;
base(Grams, abroad) -> 1500 + 3 * ((Grams + 99) div 100).

discount(Price, none) -> Price;
discount(Price, {percent, Percent}) -> Price - Price * Percent div 100;
discount(Price, {minus, Cents}) -> Price - Cents.
