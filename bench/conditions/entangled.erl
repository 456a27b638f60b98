%% Conditions over more numbers at once, deeper inside of the inputs, or with few solutions.
-module(entangled).
-compile([export_all, nowarn_export_all]).

-spec kepler(float(), float()) -> ok.
kepler(E, M) ->
    solved(M > 1.0 andalso M < 2.0 andalso abs(E - 0.6 * math:sin(E) - M) < 1.0e-14 andalso math:cos(E) < -0.5).

-spec tower_of_exponentials(float()) -> ok.
tower_of_exponentials(X) ->
    solved(abs(math:exp(math:exp(X)) - 1000.0) < 1.0e-9).

-spec fast_oscillation(float()) -> ok.
fast_oscillation(X) ->
    solved(X > 0.001 andalso X < 0.1 andalso abs(X * math:sin(1 / X) - 0.05) < 1.0e-12).

-spec near_the_pole(float()) -> ok.
near_the_pole(X) ->
    solved(X > 3.0 andalso math:tan(X) > 1.0e10).

-spec high_power(float()) -> ok.
high_power(X) ->
    solved(math:pow(X, 17) - 3 * math:pow(X, 9) + X > 1.0e6 andalso math:pow(X, 17) < 1.1e6).

-spec chebyshev(float()) -> ok.
chebyshev(X) ->
    T = 16 * math:pow(X, 5) - 20 * math:pow(X, 3) + 5 * X,
    solved(X > 0.0 andalso X < 0.7 andalso abs(T) < 1.0e-15).

-spec broyden(float(), float(), float(), float(), float()) -> ok.
broyden(A, B, C, D, E) ->
    F = fun(L, X, R) -> abs((3 - 2 * X) * X - L - 2 * R + 1) end,
    solved(F(0.0, A, B) < 1.0e-12 andalso F(A, B, C) < 1.0e-12 andalso F(B, C, D) < 1.0e-12
           andalso F(C, D, E) < 1.0e-12 andalso F(D, E, 0.0) < 1.0e-12).

-spec three_spheres(float(), float(), float()) -> ok.
three_spheres(X, Y, Z) ->
    Distance = fun(A, B, C) -> math:sqrt((X - A) * (X - A) + (Y - B) * (Y - B) + (Z - C) * (Z - C)) end,
    solved(abs(Distance(0.0, 0.0, 0.0) - 10.0) < 1.0e-12 andalso abs(Distance(5.0, 0.0, 0.0) - 9.0) < 1.0e-12
           andalso abs(Distance(0.0, 7.0, 1.0) - 8.0) < 1.0e-12).

-spec exact_spheres(float(), float(), float()) -> ok.
exact_spheres(X, Y, Z) ->
    solved(X * X + Y * Y + Z * Z == 49.0 andalso X * Y + Z == 8.0 andalso X * Y * Z == 12.0).

-spec sum_of_three_cubes(integer(), integer(), integer()) -> ok.
sum_of_three_cubes(X, Y, Z) ->
    solved(X * X * X + Y * Y * Y + Z * Z * Z =:= 855 andalso X > 0 andalso Y > X andalso Z > Y).

-spec determinant(integer(), integer(), integer(), integer()) -> ok.
determinant(A, B, C, D) ->
    solved(A * D - B * C =:= 97 andalso A + D =:= 40 andalso B > 3 andalso C > B).

-spec egyptian(pos_integer(), pos_integer(), pos_integer()) -> ok.
egyptian(A, B, C) ->
    solved(A < B andalso B < C andalso 4 * A * B * C =:= 13 * (A * B + B * C + A * C)).

-spec power_of_remainders(0..1000) -> ok.
power_of_remainders(X) ->
    S = X * X rem 1009,
    solved(S * S rem 1009 * X rem 1009 =:= 500).

-spec divisors(pos_integer(), pos_integer()) -> ok.
divisors(X, Y) ->
    solved(X * Y =:= 1022117 andalso X > 1 andalso Y > 1).

-spec digits(0..999999) -> ok.
digits(N) ->
    solved(N rem 10 + N div 10 rem 10 + N div 100 rem 10 + N div 1000 =:= 31 andalso N * N rem 1000 =:= 409).

-spec within_tuples({point, float(), float()}, {point, float(), float()}) -> ok.
within_tuples({point, X1, Y1}, {point, X2, Y2}) ->
    Length = math:sqrt(math:pow(X1 - X2, 2) + math:pow(Y1 - Y2, 2)),
    solved(Length == 13.0 andalso X1 * X2 + Y1 * Y2 == 0.0 andalso X1 > 1.0 andalso Y2 > 1.0).

-spec within_maps(#{mass := float(), speed := float(), height := float()}) -> ok.
within_maps(#{mass := M, speed := V, height := H}) ->
    solved(M > 1.0 andalso abs(0.5 * M * V * V - 1000.0) < 1.0e-6 andalso abs(M * 9.81 * H - 500.0) < 1.0e-6
           andalso V > 10.0).

-spec within_lists([{float(), float()}]) -> ok.
within_lists(Points) ->
    Area = area(Points, 0.0),
    solved(length(Points) =:= 3 andalso abs(Area - 12.5) < 1.0e-9).

area([{X1, Y1}, {X2, Y2} = P | Rest], Sum) -> area([P | Rest], Sum + (X1 * Y2 - X2 * Y1) / 2);
area(_, Sum) -> Sum.

-spec correlation(float(), float(), float(), float()) -> ok.
correlation(A, B, C, D) ->
    Mean = (A + B + C + D) / 4,
    Variance = (math:pow(A - Mean, 2) + math:pow(B - Mean, 2) + math:pow(C - Mean, 2) + math:pow(D - Mean, 2)) / 4,
    solved(Mean == 2.5 andalso Variance == 1.25 andalso A < B andalso B < C andalso C < D).

-spec either_kind(number(), number()) -> ok.
either_kind(X, Y) ->
    solved(is_float(X) andalso is_integer(Y) andalso X * Y == 7.5 andalso X + Y == 6.5).

-spec loan(float(), 1..360) -> ok.
loan(Rate, Months) ->
    R = Rate / 1200,
    Payment = 200000 * R / (1 - math:pow(1 + R, -Months)),
    solved(Rate > 1.0 andalso Rate < 12.0 andalso Months > 100 andalso abs(Payment - 1500.0) < 0.005).

-spec piecewise(float(), float()) -> ok.
piecewise(X, Y) ->
    Z = if X < Y -> X * X + Y; X < 2 * Y -> math:sqrt(X) * Y; true -> X - Y * Y end,
    solved(Z == 30.0 andalso X > Y andalso Y > 2.0).

-spec packet(<<_:64>>) -> ok.
packet(<<A:16, B:16, C:32/float>>) ->
    solved(A * B =:= 1000000 andalso C * A == 1250.0);
packet(_) ->
    ok.

-spec haversine(float(), float()) -> ok.
haversine(Latitude, Longitude) ->
    P = math:pi() / 180,
    A = 0.5 - math:cos((Latitude - 48.1) * P) / 2
        + math:cos(48.1 * P) * math:cos(Latitude * P) * (1 - math:cos((Longitude - 11.6) * P)) / 2,
    solved(Latitude > 50.0 andalso Latitude < 60.0 andalso abs(12742 * math:asin(math:sqrt(A)) - 504.0) < 1.0e-6).

solved(true) -> error(solved);
solved(false) -> ok.
