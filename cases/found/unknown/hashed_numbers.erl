%% Hashes are known by samples only: what is needed of them is learnt where it is needed.
%%! equal(469, 0)        ==> error equal
%%! at_ten(513, 10)      ==> error at_ten
%%! not_at_ten(1, 10)    ==> error not_at_ten
%%! each_other(1, 2)     ==> ok
%%! positive(7, 10)      ==> error positive
%%! alike(5, 5)          ==> error alike
%%! next(2, 3)           ==> error next
%%! few(3)               ==> error three
%%? equal/2: finds error:equal for (469, 0); failures = 1; exhausts
%%? at_ten/2: finds error:at_ten for (513, 10); failures = 1; exhausts
%%? not_at_ten/2: finds error:not_at_ten for (_, 10); failures = 1; exhausts
%%? each_other/2: clean; incomplete
%%? positive/2: finds error:positive for (_, 10); failures = 1; incomplete
%%? alike/2: finds error:alike for (X, X); failures = 1; exhausts
%%? next/2: finds error:next for (X, Y) when X =/= Y; failures = 1; exhausts
%%? few/1: finds error:three for (3); failures = 1; exhausts
%%? named/1: clean; incomplete
-module(hashed_numbers).
-export([equal/2, at_ten/2, not_at_ten/2, each_other/2, positive/2, alike/2, next/2, few/1, named/1]).

-spec equal(integer(), integer()) -> ok.
equal(X, Y) ->
    case X =:= erlang:phash2(Y, 1000) of
        true -> error(equal);
        false -> ok
    end.

%% The hash of ten is not known before ten is asked for.
-spec at_ten(integer(), integer()) -> ok.
at_ten(X, Y) ->
    case X =:= erlang:phash2(Y, 1000) of
        true when Y =:= 10 -> error(at_ten);
        _ -> ok
    end.

-spec not_at_ten(integer(), integer()) -> ok.
not_at_ten(X, Y) ->
    case X =/= erlang:phash2(Y, 1000) of
        true when Y =:= 10 -> error(not_at_ten);
        _ -> ok
    end.

%% Nobody knows numbers that are each other's hash.
-spec each_other(integer(), integer()) -> ok.
each_other(X, Y) ->
    case X =:= erlang:phash2(Y, 1 bsl 32) of
        true ->
            case Y =:= erlang:phash2(X, 1 bsl 32) of
                true -> error(each_other);
                false -> ok
            end;
        false -> ok
    end.

-spec positive(integer(), integer()) -> ok.
positive(X, Y) ->
    case erlang:phash2(X) > 0 of
        true when Y =:= 10 -> error(positive);
        _ -> ok
    end.

-spec alike(integer(), integer()) -> ok.
alike(X, Y) ->
    case erlang:phash2(X) =:= erlang:phash2(Y) of
        true -> error(alike);
        false -> ok
    end.

%% From what earlier runs saw.
-spec next(integer(), integer()) -> ok.
next(X, Y) ->
    case erlang:phash2(X, 16) =:= erlang:phash2(Y, 16) + 1 of
        true -> error(next);
        false -> ok
    end.

%% All of them can be tried.
-spec few(0..9) -> ok.
few(X) ->
    case erlang:phash2(X, 10) of
        3 -> error(three);
        Hash when Hash > 9 -> error(never);
        _ -> ok
    end.

-spec named(atom()) -> ok.
named(Name) ->
    case erlang:phash2(Name) of
        77_777_777 -> error(named);
        _ -> ok
    end.
