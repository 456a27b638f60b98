%% Forty is the numeral whose smaller letter comes first.
%%! value("XL")      ==> error forty
%%! value("MCMXCIV") ==> 1994
%%! value("IIII")    ==> 4
%%? value/1 with bound 4, max 1000: finds error:forty for (Letters) when length(Letters) < 5; failures = 1
-module(roman_numerals).
-export([value/1]).

-type letter() :: $I | $V | $X | $L | $C | $D | $M.

-spec value([letter()]) -> integer().
value(Letters) ->
    case sum([worth(L) || L <- Letters]) of
        40 -> error(forty);
        Sum -> Sum
    end.

sum([A, B | Rest]) when A < B -> sum([B | Rest]) - A;
sum([A | Rest]) -> A + sum(Rest);
sum([]) -> 0.

worth($I) -> 1;
worth($V) -> 5;
worth($X) -> 10;
worth($L) -> 50;
worth($C) -> 100;
worth($D) -> 500;
worth($M) -> 1000.
