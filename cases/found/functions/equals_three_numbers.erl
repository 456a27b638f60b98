%% Three functions that say nothing but whether a number is theirs must get three different answers.
%%? unit/1 with max 200: finds error:bug within 60 runs; failures = 1
-module(equals_three_numbers).
-export([unit/1]).

equals(M) ->
    fun(N) ->
        if
            N =:= M -> 0;
            true -> 1
        end
    end.

-spec unit(fun((fun((integer()) -> integer())) -> integer())) -> ok | error.
unit(F) ->
    case {F(equals(2)), F(equals(30)), F(equals(7))} of
        {12, 5, -2} -> error(bug);
        _ -> ok
    end.
