%% Roman numerals.
-module(roman).
-export([to_integer/1]).

-spec to_integer(string()) -> non_neg_integer().
to_integer([A, B | Rest]) ->
    case {digit(A), digit(B)} of
        {Low, High} when Low < High -> High - Low + to_integer(Rest);
        {Value, _} -> Value + to_integer([B | Rest])
    end;
to_integer([A]) -> digit(A);
to_integer([]) -> 0.

digit($I) -> 1;
digit($V) -> 5;
digit($X) -> 10;
digit($L) -> 50;
digit($C) -> 100;
digit($D) -> 500;
digit($M) -> 1000.
