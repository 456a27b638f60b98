%% Integers that are too large for a float, which arithmetic on floats needs; the least of them is 2^1024 - 2^970.
%%! half((1 bsl 1024) - (1 bsl 970) - 1)    ==> 8.988465674311579e307
%%! half((1 bsl 1024) - (1 bsl 970))        ==> error badarith
%%! nothing((1 bsl 1024) - (1 bsl 970) - 1) ==> 0.0
%%! nothing(-(1 bsl 1024) + (1 bsl 970))    ==> error badarith
%%! inverse(1 bsl 1023)                     ==> 1.1125369292536007e-308
%%! inverse(1 bsl 1024)                     ==> error badarith
%%! converted(1 bsl 1024)                   ==> error badarg
%%! root(1 bsl 1024)                        ==> error badarith
%%! written(1 bsl 1024)                     ==> error badarg
%%! caught(7, 0)                            ==> error zero
%%! caught(1 bsl 1024, 3)                   ==> error large
%%? half/1: finds error:badarith for (X) when abs(X) >= (1 bsl 1024) - (1 bsl 970); failures = 1; exhausts
%%? nothing/1: finds error:badarith for (X) when abs(X) >= (1 bsl 1024) - (1 bsl 970); failures = 1; exhausts
%%? inverse/1: finds error:badarith for (X) when X >= (1 bsl 1024) - (1 bsl 970); failures = 1; exhausts
%%? converted/1: finds error:badarg for (X) when abs(X) >= (1 bsl 1024) - (1 bsl 970); failures = 1; exhausts
%%? root/1: finds error:badarith for (X) when X >= (1 bsl 1024) - (1 bsl 970); failures = 1; exhausts
%%? written/1: finds error:badarg for (X) when abs(X) >= (1 bsl 1024) - (1 bsl 970); failures = 1; exhausts
%%? caught/2: finds error:zero for (_, 0); finds error:large for (X, Y) when Y =/= 0; failures = 2; exhausts
%%? quotient/2: finds error:badarith for (0, 0); failures = 1; exhausts
%%? declared/1: clean; exhausts; runs = 1
%%? guarded/1: clean; exhausts
%%? average/1: finds error:badarith for ([]); failures >= 1
%%? never/1: clean; exhausts
-module(beyond_floats).
-export([half/1, nothing/1, inverse/1, converted/1, root/1, written/1, caught/2, quotient/2, declared/1, guarded/1,
         average/1, never/1]).

-spec half(integer()) -> float().
half(X) -> X / 2.

-spec nothing(integer()) -> float().
nothing(X) -> X * 0.0.

-spec inverse(pos_integer()) -> float().
inverse(X) -> 1 / X.

-spec converted(integer()) -> float().
converted(X) -> float(X).

-spec root(non_neg_integer()) -> float().
root(X) -> math:sqrt(X).

-spec written(integer()) -> binary().
written(X) -> <<X/float>>.

%% One exception for two reasons.
-spec caught(integer(), integer()) -> float().
caught(X, Y) ->
    try X / Y
    catch error:badarith when Y =:= 0 -> error(zero);
          error:badarith -> error(large)
    end.

-spec quotient(integer(), integer()) -> float().
quotient(X, Y) -> X / Y.

-spec declared(1..1000) -> float().
declared(X) -> X / 3.

-spec guarded(integer()) -> float().
guarded(X) when X > -1000000, X < 1000000 -> X / 7 + X * 0.5;
guarded(_) -> 0.0.

-spec average([0..100]) -> float().
average(Numbers) -> lists:sum(Numbers) / length(Numbers).

%% An integer of less than 1,024 bits is never too large.
-spec never(integer()) -> float().
never(X) when X >= 0, X < 1 bsl 1023 ->
    try float(X)
    catch error:badarg -> error(never)
    end;
never(_) -> 0.0.
