%% Between floats and integers: round, trunc, float, abs, min and max.
%%! rounded(2.5) ==> error three
%%! cut(-2.7)    ==> error minus_two
%%! distance(-7) ==> error far
%%? rounded/1: finds error:three for (X) when X >= 2.5, X =< 3.5; failures = 1
%%? cut/1: finds error:minus_two for (X) when X =< -2.0, X > -3.0; failures = 1
%%? distance/1: finds error:far for (N) when abs(N) =:= 7; exhausts
%%? clamp/1: clean; exhausts
%%? as_float/1: finds error:five for (5); failures = 1
-module(rounded_unknowns).
-export([rounded/1, cut/1, distance/1, clamp/1, as_float/1]).

-spec rounded(float()) -> integer().
rounded(X) when abs(X) > 1.0e6 -> 0;
rounded(X) ->
    case round(X) of
        3 -> error(three);
        N -> N
    end.

-spec cut(float()) -> integer().
cut(X) when abs(X) > 1.0e6 -> 0;
cut(X) ->
    case trunc(X) of
        -2 -> error(minus_two);
        N -> N
    end.

-spec distance(integer()) -> non_neg_integer().
distance(N) ->
    case abs(N) of
        7 -> error(far);
        D -> D
    end.

-spec clamp(integer()) -> 0..255.
clamp(N) -> max(0, min(N, 255)).

-spec as_float(-1000..1000) -> float().
as_float(N) ->
    case float(N) of
        5.0 -> error(five);
        F -> F
    end.
