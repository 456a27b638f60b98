%% Programs in the manner of those on which targeted search was first measured. Lines that end in a name are targets.
-module(thesis).
-export([dart/2, easy_loop/1, hard_loop/2, narrow/1, sine/1, slicing/3, tcas/6, trityp/3, tsafe/6]).

%% The condition of the inner branch needs the result of a function.
-spec dart(integer(), integer()) -> atom().
dart(X, Y) ->
    case X =/= Y of
        true ->
            case double(X) =:= X + 10 of
                true -> target; %! reached dart
                false -> other
            end;
        false -> same
    end.

double(X) -> 2 * X.

%% A loop that counts.
-spec easy_loop(integer()) -> atom().
easy_loop(X) ->
    case count(0, X, 0) of
        12 -> target; %! reached easy-loop
        _ -> other
    end.

count(I, X, Sum) when I < X -> count(I + 1, X, Sum + 1);
count(_, _, Sum) -> Sum.

%% A loop whose sum is right after 1,024 rounds, and a condition that no theory decides.
-spec hard_loop(integer(), float()) -> atom().
hard_loop(X, U) ->
    case sum(0, X, 0) of
        8192 ->
            case math:sin(U) > 0.0 of
                true -> target; %! reached hard-loop
                false -> other
            end;
        _ -> other
    end.

sum(I, X, Sum) when I < X, I rem 2 =:= 0 -> sum(I + 1, X, Sum - 1);
sum(I, X, Sum) when I < X -> sum(I + 1, X, Sum + 17);
sum(_, _, Sum) -> Sum.

%% One input of four thousand million: the absolute value of the smallest integer wraps around.
-spec narrow(-2147483648..2147483647) -> atom().
narrow(X) ->
    case absolute(X) < 0 of
        true -> target; %! reached narrow
        false -> other
    end.

absolute(X) when X < 0 -> wrapped(-X);
absolute(X) -> X.

wrapped(X) when X > 2147483647 -> X - 4294967296;
wrapped(X) -> X.

-spec sine(float()) -> atom().
sine(X) ->
    case math:sin(X) > 0.5 andalso math:cos(X) > 0.5 of
        true -> target; %! reached sine
        false -> other
    end.

%% What the branches decide has nothing to do with the target, which contradicts itself.
-spec slicing(integer(), integer(), integer()) -> term().
slicing(X, Y, Z) ->
    A = branch(X, 1),
    B = branch(A, 2),
    C = branch(B, 3),
    D = branch(C, Z),
    E = branch(D, 5),
    F = branch(E, 6),
    G = branch(F, 7),
    H = branch(G, 8),
    I = branch(H, 9),
    case Y > 0 of
        true ->
            case Y =:= 0 of
                true -> {target, I}; %! unreachable slicing
                false -> I
            end;
        false -> I
    end.

branch(X, N) ->
    if
        X > N -> X - N;
        true -> X + N
    end.

%% Traffic collision avoidance: whether to climb or to descend.
-spec tcas(0..2000, boolean(), 0..10000, 0..10000, 0..3, 0..10000) -> climb | descend | nothing.
tcas(Separation, IsHighConfidence, Own, Other, Layer, Tracked) ->
    IsEnabled = IsHighConfidence andalso Tracked =< 600 andalso Separation > 600,
    Limit = limit(Layer),
    UpSeparation = Separation + 100,
    case IsEnabled of
        false -> nothing;
        true ->
            NeedsUp = climbs(UpSeparation, Separation, Limit) andalso Own < Other,
            NeedsDown = descends(UpSeparation, Separation, Limit) andalso Other < Own,
            case {NeedsUp, NeedsDown} of
                {true, true} -> nothing; %! unreachable tcas-1
                {true, false} -> climb; %! reached tcas-2
                {false, true} -> descend; %! reached tcas-3
                {false, false} -> nothing
            end
    end.

limit(0) -> 400;
limit(1) -> 500;
limit(2) -> 640;
limit(_) -> 740.

climbs(Up, Down, Limit) when Up > Down -> Down < 2 * Limit;
climbs(Up, _, Limit) -> Up >= Limit.

descends(Up, Down, Limit) when Up > Down -> Up >= Limit;
descends(_, Down, Limit) -> Down < Limit.

-spec trityp(integer(), integer(), integer()) -> scalene | isosceles | equilateral | none.
trityp(A, B, C) when A =< 0; B =< 0; C =< 0 -> none;
trityp(A, B, C) ->
    Equal = same(A, B, 1) + same(A, C, 2) + same(B, C, 3),
    case Equal of
        0 when A + B > C, B + C > A, A + C > B -> scalene; %! reached trityp-1
        0 -> none;
        N when N > 3 -> equilateral; %! reached trityp-2
        1 when A + B > C -> isosceles;
        2 when A + C > B -> isosceles;
        3 when B + C > A -> isosceles; %! reached trityp-3
        _ -> none
    end.

same(X, X, N) -> N;
same(_, _, _) -> 0.

%% Whether two aircraft come into conflict when one of them turns.
-spec tsafe(float(), float(), float(), float(), float(), float()) -> turns | passes | conflict | nothing.
tsafe(Psi, Speed, X, Y, PsiC, Bank) when Speed > 0.0, Bank > 0.1, Bank < 1.5 ->
    Change = Psi - PsiC,
    Sign = if Change < 0.0 -> -1.0; true -> 1.0 end,
    Radius = Speed * Speed / math:tan(Bank) / 68443.0,
    Way = abs(Change) * Radius,
    XTurn = X + Sign * Radius * (math:cos(Psi) - math:cos(PsiC)),
    YTurn = Y + Sign * Radius * (math:sin(PsiC) - math:sin(Psi)),
    case Way > 0.5 of
        true when XTurn * XTurn + YTurn * YTurn < 25.0 -> conflict; %! reached tsafe-1
        true when Sign < 0.0, Way * Speed > 2.0 * Radius * 180.0 -> turns; %! reached tsafe-2
        true -> nothing;
        false ->
            case Radius > 0.2 andalso math:sin(Change) > 0.1 of
                true -> passes; %! reached tsafe-3
                false -> nothing
            end
    end;
tsafe(_, _, _, _, _, _) -> nothing.
