%% Roman numerals both ways.
%%! [f(N) || N <- [1, 4, 9, 14, 40, 90, 400, 1994, 2024]] ==> ["I","IV","IX","XIV","XL","XC","CD","MCMXCIV","MMXXIV"]
%%! [g(R) || R <- ["IV", "MCMXCIV", "XLII"]]              ==> [4,1994,42]
-module(roman).
-export([f/1, g/1]).
table() -> [{1000, "M"}, {900, "CM"}, {500, "D"}, {400, "CD"}, {100, "C"}, {90, "XC"}, {50, "L"}, {40, "XL"},
    {10, "X"}, {9, "IX"}, {5, "V"}, {4, "IV"}, {1, "I"}].
f(N) -> f(N, table()).
f(0, _) -> "";
f(N, [{V, R} | _] = T) when N >= V -> R ++ f(N - V, T);
f(N, [_ | T]) -> f(N, T).
g("") -> 0;
g(S) -> [{V, Rest} | _] = [{V, lists:nthtail(length(R), S)} || {V, R} <- table(), lists:prefix(R, S)], V + g(Rest).
