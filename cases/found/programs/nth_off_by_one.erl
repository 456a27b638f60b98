%% Positions are counted from one here and from zero there.
%%! at(1, [a, b]) ==> b
%%! at(2, [a, b]) ==> error function_clause
%%! at(3, [a, b]) ==> none
%%? at/2: finds error:function_clause for (I, L) when I =:= length(L); failures = 1
-module(nth_off_by_one).
-export([at/2]).

-spec at(pos_integer(), [term()]) -> term().
at(I, L) when I > length(L) -> none;
at(I, L) -> lists:nth(I + 1, L).
