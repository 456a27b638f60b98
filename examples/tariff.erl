%% What a parcel costs. Some lines are hard to come to, and one is never executed.
-module(tariff).
-export([price/3]).

-spec price(string(), pos_integer(), home | abroad) -> {ok, integer()} | {error, atom()}.
price(Code, Grams, Where) ->
    case discount(Code) of
        {ok, Percent} when Grams =< 20000 -> {ok, base(Grams, Where) * (100 - Percent) div 100};
        {ok, _} -> {error, too_heavy};
        error -> {ok, base(Grams, Where)}
    end.

%% A code is a letter and a number whose digits add up to 42.
discount([Letter | Digits]) when Letter >= $A, Letter =< $Z ->
    case sum(Digits, 0) of
        42 -> {ok, Letter - $A};
        _ -> error
    end;
discount(_) -> error.

sum([Digit | Rest], Sum) when Digit >= $0, Digit =< $9 -> sum(Rest, Sum + Digit - $0);
sum(_, Sum) -> Sum.

base(Grams, abroad) when Grams > 5000 -> 4900;
base(Grams, _) when Grams > 5000 -> 1650;
base(Grams, Where) -> small(Grams, Where).

small(Grams, abroad) -> 900 + Grams div 10;
small(Grams, home) when Grams > 10000 -> 1050;
small(_, home) -> 550.
