%% Division fails for zero only, and a caught failure is none.
%%! quotient(10, 0) ==> error badarith
%%! guarded(0)      ==> no
%%! caught(0)       ==> ok
%%? quotient/2: finds error:badarith for (_, 0); failures = 1; exhausts; runs = 2
%%? caught/1: clean; exhausts; runs = 2
%%? guarded/1: clean; exhausts
%%? remainder/1: finds error:rest for (N) when N rem 7 =:= 3; failures = 1
%%? negative/1: finds error:{rest,R} when R < 0; failures = 1
-module(divided_by_unknowns).
-export([quotient/2, caught/1, guarded/1, remainder/1, negative/1]).

-spec quotient(integer(), integer()) -> integer().
quotient(X, Y) -> X div Y.

-spec caught(integer()) -> integer() | ok.
caught(X) ->
    try 100 div X catch error:badarith -> ok end.

%% A guard that fails is no failure.
-spec guarded(integer()) -> yes | no.
guarded(X) when 100 div X > 3 -> yes;
guarded(_) -> no.

-spec remainder(integer()) -> integer().
remainder(N) when N rem 7 =:= 3 -> error(rest);
remainder(N) -> N.

-spec negative(integer()) -> integer().
negative(N) ->
    case N rem 5 of
        R when R < 0 -> error({rest, R});
        R -> R
    end.
