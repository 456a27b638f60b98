%% A number of four digits is accepted only with the right check digit, and one of the accepted is 9000-odd.
%%! check("1230") ==> true
%%! check("9001") ==> error {accepted,"9001"}
%%! check("12a4") ==> false
%%? check/1 with bound 4, max 600: finds error:{accepted,_} for ([$9,_,_,_]); failures = 1
-module(luhn).
-export([check/1]).

-spec check([$0..$9]) -> true | false | short.
check(Digits) when length(Digits) < 4 ->
    short;
check(Digits) ->
    Values = [D - $0 || D <- Digits],
    case sum(lists:reverse(Values), 1, 0) rem 10 of
        0 when hd(Values) =:= 9 -> error({accepted, Digits});
        0 -> true;
        _ -> false
    end.

sum([], _, Sum) -> Sum;
sum([V | Vs], 1, Sum) -> sum(Vs, 2, Sum + V);
sum([V | Vs], 2, Sum) when V > 4 -> sum(Vs, 1, Sum + 2 * V - 9);
sum([V | Vs], 2, Sum) -> sum(Vs, 1, Sum + 2 * V).
