%% Functions of the program into which nobody looks: samples tell what they do.
%%! reached(10, 3628800)  ==> error reached
%%! same(a, a)            ==> error same
%%! raising(-1)           ==> caught
%%! checked(-1)           ==> error negative
%%! moody(1)              ==> ok
%%! structured(3)         ==> ok
%%! given(fun(X) -> X end) ==> ok
%%? reached/2: finds error:reached for (10, 3628800); failures = 1
%%? same/2: finds error:same for (X, X); failures = 1
%%? raising/1: finds error:positive for (1); failures = 1
%%? checked/1 with seed (-1): finds error:negative for (X) when X < 0; failures = 1
%%? moody/1: clean; incomplete
%%? structured/1 with max 50: clean; incomplete
%%? given/1: clean; exhausts
-module(opaque_functions).
-beagle({opaque, [factorial/1, tagged/1, root/1, counted/1]}).
-beagle({opaque, {pair, 1}}).
-beagle({opaque, {applied, 1}}).
-export([reached/2, same/2, raising/1, checked/1, moody/1, structured/1, given/1]).

%% It calls itself, which is its own affair.
factorial(0) -> 1;
factorial(N) when N > 0, N < 1000 -> N * factorial(N - 1);
factorial(_) -> none.

-spec reached(integer(), integer()) -> ok.
reached(X, Y) when X =:= 10 ->
    case factorial(X) of
        Y -> error(reached);
        _ -> ok
    end;
reached(_, _) -> ok.

tagged(X) -> {tag, X}.

-spec same(atom(), atom()) -> ok.
same(X, Y) ->
    case tagged(X) =:= tagged(Y) of
        true -> error(same);
        false -> ok
    end.

root(X) when X < 0 -> error(negative);
root(X) -> trunc(math:sqrt(X)).

-spec raising(integer()) -> ok | caught.
raising(X) ->
    try root(X) of
        R when R =:= 1, X =:= 1 -> error(positive);
        _ -> ok
    catch
        error:negative -> caught
    end.

-spec checked(integer()) -> ok.
checked(X) -> root(X), ok.

%% The same arguments, another result.
counted(X) ->
    Count = case get(count) of undefined -> 0; Known -> Known end,
    put(count, Count + 1),
    X + Count.

-spec moody(integer()) -> ok.
moody(X) ->
    case counted(X) + counted(X) of
        7 -> ok;
        _ -> ok
    end.

pair(X) -> {X rem 3, [X]}.

-spec structured(integer()) -> ok.
structured(X) ->
    case pair(X) of
        {2, [_]} -> ok;
        {_, []} -> error(never);
        _ -> ok
    end.

%% A function that is handed through stays the function it is.
applied(F) -> F.

-spec given(fun((integer()) -> integer())) -> ok.
given(F) ->
    case (applied(F))(1) of
        5 -> ok;
        _ -> ok
    end.
