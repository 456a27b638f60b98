%% Prices with two discounts that together are more than the price.
%%! price(100, 30, true) ==> 50
%%? price/3: finds error:{negative,_} for (P, D, true) when P < D + 20; failures = 1; exhausts
-module(discount).
-export([price/3]).

-spec price(1..1000, 0..50, boolean()) -> pos_integer() | 0.
price(Price, Discount, Member) ->
    Reduced = case Member of
        true -> Price - Discount - 20;
        false -> max(0, Price - Discount)
    end,
    if
        Reduced < 0 -> error({negative, Reduced});
        true -> Reduced
    end.
