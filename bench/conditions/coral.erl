%% Conditions in the manner of the CORAL set: each has solutions, and a function raises `solved` for one.
-module(coral).
-compile([export_all, nowarn_export_all]).

-spec sine_is_half(float()) -> ok.
sine_is_half(X) ->
    solved(X > 10.0 andalso abs(math:sin(X) - 0.5) < 1.0e-9).

-spec sines_cancel(float(), float()) -> ok.
sines_cancel(X, Y) ->
    solved(X > 1.0 andalso Y > 4.0 andalso math:sin(X) + math:cos(Y) == 1.0).

-spec nested_sines(float(), float(), float()) -> ok.
nested_sines(X, Y, Z) ->
    solved(math:sin(X * math:cos(Y * math:sin(Z))) > math:sin(Y * math:cos(X * math:sin(Z))) + 1.5).

-spec quotient_of_waves(float(), float(), float(), float()) -> ok.
quotient_of_waves(X, Y, Z, W) ->
    solved(math:sin(2 * X - Y) / (math:cos(2 * Y + X) + 1.5)
           == math:cos(2 * Z + X) / (math:sin(2 * W + Y) - 1.5)).

-spec quotients_of_more_waves(float(), float(), float(), float(), float(), float(), float()) -> ok.
quotients_of_more_waves(X, Y, Z, W, T, V, K) ->
    solved(math:cos(3 * X + 2 * Y - Z) * math:sin(Z + X + Y) == math:cos(X * Y)
           andalso math:sin(W * T) + math:cos(V) > 1.2
           andalso math:sin(K) * W > 3.0).

-spec arcs(float(), float(), float(), float()) -> ok.
arcs(X, Y, Z, W) ->
    solved(X > -0.9 andalso X < 0.9
           andalso math:asin(X) < math:cos(Y) * math:cos(Z) - math:atan(W)
           andalso math:sin(X) > math:sin(Y) * math:cos(Z)).

-spec arc_of_itself(float()) -> ok.
arc_of_itself(X) ->
    solved(abs(math:atan(X) + math:cos(20.0) - X) < 1.0e-9).

-spec parabola_meets_circle(float(), float()) -> ok.
parabola_meets_circle(X, Y) ->
    solved(Y == X * X andalso X * X + Y * Y > 99.0 andalso X * X + Y * Y < 99.001).

-spec circle_and_line(float(), float()) -> ok.
circle_and_line(X, Y) ->
    solved(X * X + Y * Y == 25.0 andalso X + Y == 7.0).

-spec exponential_root(float(), float()) -> ok.
exponential_root(X, Y) ->
    solved(Y > 2.0 andalso math:exp(X) > 5.0 andalso X == math:sqrt(Y)).

-spec logarithm_of_power(float(), float()) -> ok.
logarithm_of_power(X, Y) ->
    solved(X > 1.0 andalso Y > 3.0 andalso abs(math:log(math:pow(X, Y)) - 10.0) < 1.0e-6).

-spec exact_exponential(float()) -> ok.
exact_exponential(X) ->
    solved(math:exp(X) == 6.0).

-spec decimal_logarithm(float(), float()) -> ok.
decimal_logarithm(X, Y) ->
    solved(X > 0.0 andalso Y > 0.0 andalso math:log10(X) == Y - 3.0 andalso abs(X * Y - 4000.0) < 1.0e-6).

-spec tangents(float(), float()) -> ok.
tangents(X, Y) ->
    solved(X > 0.0 andalso X < 1.5 andalso Y > X andalso Y < 1.5
           andalso abs(math:tan(X) * math:tan(Y) - 2.0) < 1.0e-8).

-spec hyperbola(float(), float()) -> ok.
hyperbola(X, Y) ->
    solved(X * Y == 12.0 andalso X + Y < -7.5 andalso X > Y).

-spec cubic(float()) -> ok.
cubic(X) ->
    solved(X * X * X - 6 * X * X + 11 * X - 6.0 == 0.0 andalso X > 2.5).

-spec cubic_integer(integer()) -> ok.
cubic_integer(X) ->
    solved(X * X * X - 27 * X * X - 1000 * X == 5502384).

-spec quintic(float()) -> ok.
quintic(X) ->
    solved(abs(math:pow(X, 5) - 4 * math:pow(X, 3) + X - 100.0) < 1.0e-6).

-spec triangle(float(), float(), float()) -> ok.
triangle(A, B, C) ->
    solved(A > 1.0 andalso B > A andalso C > B andalso A * A + B * B == C * C andalso A + B + C < 100.0).

-spec pythagoras(pos_integer(), pos_integer(), pos_integer()) -> ok.
pythagoras(A, B, C) ->
    solved(A > 20 andalso B > A andalso A * A + B * B =:= C * C).

-spec four_squares(integer(), integer(), integer(), integer()) -> ok.
four_squares(A, B, C, D) ->
    solved(A * A + B * B + C * C + D * D =:= 3019 andalso A < B andalso B < C andalso C < D andalso A > 0).

-spec product_of_three(integer(), integer(), integer()) -> ok.
product_of_three(X, Y, Z) ->
    solved(X * Y * Z =:= 30030 andalso X > 1 andalso Y > X andalso Z > Y andalso X + Y + Z < 100).

-spec distance(float(), float(), float(), float()) -> ok.
distance(X1, Y1, X2, Y2) ->
    solved(math:sqrt((X1 - X2) * (X1 - X2) + (Y1 - Y2) * (Y1 - Y2)) == 5.0
           andalso X1 > 100.0 andalso Y2 < -3.0).

-spec sphere(float(), float(), float()) -> ok.
sphere(X, Y, Z) ->
    solved(X * X + Y * Y + Z * Z == 1.0 andalso X + Y + Z == 1.5).

-spec saddle(float(), float()) -> ok.
saddle(X, Y) ->
    solved(X * X - Y * Y == 15.0 andalso X * Y == 4.0).

-spec six_in_a_chain(float(), float(), float(), float(), float(), float()) -> ok.
six_in_a_chain(A, B, C, D, E, F) ->
    solved(A * B == 2.0 andalso B * C == 3.0 andalso C * D == 4.0 andalso D * E == 5.0 andalso E * F == 6.0
           andalso A > 1.0).

-spec twelve(float(), float(), float(), float(), float(), float(),
             float(), float(), float(), float(), float(), float()) -> ok.
twelve(A, B, C, D, E, F, G, H, I, J, K, L) ->
    solved(A * B + C * D + E * F > 50.0
           andalso G * H * I < -20.0
           andalso math:sin(J) + math:cos(K) > 1.5
           andalso A + C + E + G + I + K < 10.0
           andalso L * L == 81.0
           andalso B * D * F > 1.0).

-spec mixed_root(integer(), float()) -> ok.
mixed_root(N, X) ->
    solved(N > 10 andalso math:sqrt(N) == X andalso X * 2 == 15.0 + 1.0).

-spec mixed_power(integer(), float()) -> ok.
mixed_power(N, X) ->
    solved(N > 3 andalso N < 9 andalso abs(math:pow(X, N) - 1000.0) < 1.0e-3 andalso X > 2.8).

-spec mixed_wave(integer(), float()) -> ok.
mixed_wave(N, X) ->
    solved(math:sin(N) > 0.999 andalso X * N == 1.0e3 andalso N > 5).

-spec rounded(float(), integer()) -> ok.
rounded(X, N) ->
    solved(round(X * X) =:= N andalso N > 5000 andalso N < 5010 andalso trunc(X) =:= -70).

-spec compound_interest(float(), integer()) -> ok.
compound_interest(Rate, Years) ->
    solved(Rate > 0.01 andalso Rate < 0.2 andalso Years > 5 andalso Years < 40
           andalso abs(1000.0 * math:pow(1 + Rate, Years) - 2500.0) < 0.01).

-spec quadratic_roots(float(), float(), float()) -> ok.
quadratic_roots(A, B, C) ->
    D = B * B - 4 * A * C,
    solved(D > 0.0 andalso A > 0.5
           andalso (-B + math:sqrt(D)) / (2 * A) == 3.0 andalso (-B - math:sqrt(D)) / (2 * A) == -2.0).

-spec double_root(float(), float(), float()) -> ok.
double_root(A, B, C) ->
    solved(A > 1.5 andalso B > 5.0 andalso B * B - 4 * A * C == 0.0).

-spec golden(float()) -> ok.
golden(X) ->
    solved(X > 1.0 andalso X - 1 / X == 1.0).

-spec spiral(float(), float()) -> ok.
spiral(X, Y) ->
    R = math:sqrt(X * X + Y * Y),
    solved(R > 3.0 andalso abs(math:atan2(Y, X) - (R - 4.0)) < 1.0e-7).

-spec error_function(float()) -> ok.
error_function(X) ->
    solved(X > 0.0 andalso abs(math:erf(X) - 0.9) < 1.0e-12).

-spec hyperbolic(float(), float()) -> ok.
hyperbolic(X, Y) ->
    solved(abs(math:cosh(X) - math:sinh(Y) - 1.0) < 1.0e-9 andalso X > 2.0 andalso Y > 0.0).

-spec remainder(float(), float()) -> ok.
remainder(X, Y) ->
    solved(Y > 1.0 andalso X > 100.0 andalso math:fmod(X, Y) == 0.5).

-spec logistic(float(), float()) -> ok.
logistic(X, K) ->
    solved(K > 2.0 andalso abs(1 / (1 + math:exp(-K * (X - 3.0))) - 0.75) < 1.0e-10).

-spec bell(float(), float()) -> ok.
bell(X, S) ->
    solved(S > 1.0 andalso X > 1.0 andalso abs(math:exp(-X * X / (2 * S * S)) / S - 0.125) < 1.0e-10).

-spec itself_times(float(), float()) -> ok.
itself_times(X, Y) ->
    solved(X == X * Y andalso X > 2.0).

-spec itself_times_integer(integer(), integer()) -> ok.
itself_times_integer(X, Y) ->
    solved(X == X * Y andalso X > 2).

-spec power_tower(float(), float()) -> ok.
power_tower(X, Y) ->
    solved(X > 1.0 andalso Y > 1.0 andalso math:pow(X, Y) > 100.0 andalso math:pow(Y, X) < 10.0).

-spec geodesic(float(), float(), float(), float()) -> ok.
geodesic(A, B, C, D) ->
    solved(A > 0.1 andalso A < 1.0 andalso B > 1.1 andalso B < 1.5
           andalso abs(math:acos(math:sin(A) * math:sin(B) + math:cos(A) * math:cos(B) * math:cos(C - D)) - 0.75)
                   < 1.0e-7).

-spec absolute(float(), float()) -> ok.
absolute(X, Y) ->
    solved(abs(X) + abs(Y) == 10.0 andalso abs(X) * abs(Y) == 21.0 andalso X < 0.0).

-spec sum_of_cubes(integer(), integer()) -> ok.
sum_of_cubes(X, Y) ->
    solved(X * X * X + Y * Y * Y =:= 1729 andalso X < 10).

-spec mean_product(number(), number(), number()) -> ok.
mean_product(X, Y, Z) ->
    solved((X + Y + Z) / 3 == 4.0 andalso X * Y * Z == 28 andalso X < Y andalso Y < Z).

solved(true) -> error(solved);
solved(false) -> ok.
