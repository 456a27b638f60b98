%% Roots, powers and distances: what leads to a result is found, and what no number leads to is not.
%%! roots(1.0, -1.0, -6.0)           ==> error three
%%! doubled(9.65, 10)                ==> 2.512385973711862
%%! distance({0.0, 0.0}, {3.0, 4.0}) ==> 5.0
%%! wave(1.0)                        ==> 0.4546487134128409
%%? roots/3: finds error:three for (A, B, C) when A > 0.5; finds error:badarith; failures >= 1
%%? doubled/2: finds error:{doubled,_} for (Rate, Years) when Rate > 1.0, Years < 40; failures = 1
%%? distance/2: finds error:five; failures >= 1
%%? wave/1: clean; exhausts
%%? bowl/2: finds error:bottom for (3.0, -2.0); failures >= 1
-module(roots_of_equations).
-export([roots/3, doubled/2, distance/2, wave/1, bowl/2]).

-spec roots(float(), float(), float()) -> [float()].
roots(A, B, C) when A > 0.5, A < 1.0e3, abs(B) < 1.0e3, abs(C) < 1.0e3 ->
    D = B * B - 4 * A * C,
    First = (-B + math:sqrt(D)) / (2 * A),
    case First of
        3.0 -> error(three);
        _ -> [First, (-B - math:sqrt(D)) / (2 * A)]
    end;
roots(_, _, _) ->
    [].

%% In how many years money doubles.
-spec doubled(float(), 1..100) -> float().
doubled(Rate, Years) when Rate > 1.0, Rate < 20.0 ->
    Factor = math:pow(1 + Rate / 100, Years),
    if Years < 40, abs(Factor - 2.0) < 1.0e-6 -> error({doubled, Factor});
       true -> Factor
    end;
doubled(_, _) ->
    1.0.

-spec distance({float(), float()}, {float(), float()}) -> float().
distance({X1, Y1}, {X2, Y2}) when abs(X1) < 1.0e6, abs(X2) < 1.0e6, abs(Y1) < 1.0e6, abs(Y2) < 1.0e6 ->
    case math:sqrt(math:pow(X1 - X2, 2) + math:pow(Y1 - Y2, 2)) of
        5.0 when X1 > X2, Y1 * Y2 < -1.0 -> error(five);
        D -> D
    end;
distance(_, _) ->
    0.0.

-spec wave(float()) -> float().
wave(X) ->
    case math:sin(X) * math:cos(X) of
        Y when Y > 1.0 -> error(above);
        Y when Y < -1.0 -> error(below);
        Y -> Y
    end.

-spec bowl(float(), float()) -> float().
bowl(X, Y) when abs(X) < 1.0e6, abs(Y) < 1.0e6 ->
    case math:pow(X - 3.0, 2) + math:pow(X + 2 * Y + 1.0, 2) of
        Z when Z == 0.0 -> error(bottom);
        Z -> Z
    end;
bowl(_, _) ->
    0.0.
