%% Whoever forgets that centuries are no leap years disagrees with the calendar on their last of February.
%%! check(2024, 2, 29) ==> true
%%! check(1900, 2, 29) ==> error disagreement
%%! check(2000, 2, 29) ==> true
%%? check/3: finds error:disagreement for (Y, 2, 29) when Y rem 100 =:= 0, Y rem 400 =/= 0; failures = 1
-module(last_of_february).
-export([check/3]).

-spec check(1..9999, 1..12, 1..31) -> boolean().
check(Year, Month, Day) ->
    Valid = Day =< days(Year, Month),
    case calendar:valid_date(Year, Month, Day) of
        Valid -> Valid;
        _ -> error(disagreement)
    end.

days(Year, 2) when Year rem 4 =:= 0 -> 29;
days(_, 2) -> 28;
days(_, Month) when Month =:= 4; Month =:= 6; Month =:= 9; Month =:= 11 -> 30;
days(_, _) -> 31.
