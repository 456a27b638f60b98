%% Versions compared as texts put ten before nine.
%%! newer("1.9", "1.10") ==> error {wrong,"1.9","1.10"}
%%! newer("2.0", "1.9")  ==> true
%%? newer/2 with bound 2, max 1500: finds error:{wrong,_,_} for (A, B) when length(A) =/= length(B); failures = 1
-module(version_numbers).
-export([newer/2]).

-type part() :: [$1..$9 | $.].

-spec newer(part(), part()) -> boolean().
newer(A, B) ->
    Right = numbers(A) > numbers(B),
    case A > B of
        Right -> Right;
        _ when A =/= [], B =/= [] -> error({wrong, A, B});
        Wrong -> Wrong
    end.

numbers(Text) -> numbers(Text, 0).

numbers([], N) -> [N];
numbers([$. | Rest], N) -> [N | numbers(Rest, 0)];
numbers([D | Rest], N) -> numbers(Rest, 10 * N + D - $0).
