%% Answers to calls one after the other, with arguments turned round, and of what an answer was.
%%? turned/1: finds error:bug within 12 runs; failures = 1; exhausts
%%? twice/2: finds error:bug within 40 runs; failures = 1
%%? chained/1: finds error:bug within 30 runs; failures = 1
-module(calls_in_a_row).
-export([turned/1, twice/2, chained/1]).

-spec turned(fun((integer(), integer()) -> integer())) -> integer().
turned(F) ->
    A = F(1, 2),
    B = F(2, 1),
    if
        A > B, A - B =:= 7, A =:= 10 -> error(bug);
        true -> 0
    end.

-spec twice(fun((integer()) -> integer()), integer()) -> ok.
twice(F, X) ->
    case F(F(X)) of
        42 when X =/= 42 ->
            case F(42) of
                7 -> error(bug);
                _ -> ok
            end;
        _ ->
            ok
    end.

-spec chained(fun((integer()) -> integer())) -> ok.
chained(F) ->
    case F(F(F(0))) of
        3 ->
            case {F(0), F(1), F(2)} of
                {1, 2, 3} -> error(bug);
                _ -> ok
            end;
        _ ->
            ok
    end.
