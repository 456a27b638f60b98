%% The classic test functions of optimisation at their zeros: by their equations, and as sums of squares.
-module(zeros).
-compile([export_all, nowarn_export_all]).

-spec beale(float(), float()) -> ok.
beale(X, Y) ->
    solved(1.5 - X * (1.0 - Y) == 0.0 andalso 2.25 - X * (1.0 - Y * Y) == 0.0
           andalso 2.625 - X * (1.0 - Y * Y * Y) == 0.0).

-spec beale_sum(float(), float()) -> ok.
beale_sum(X, Y) ->
    solved(math:pow(1.5 - X * (1.0 - Y), 2) + math:pow(2.25 - X * (1.0 - Y * Y), 2)
           + math:pow(2.625 - X * (1.0 - Y * Y * Y), 2) == 0.0).

-spec freudenstein_roth(float(), float()) -> ok.
freudenstein_roth(X, Y) ->
    solved(-13 + X + ((5 - Y) * Y - 2) * Y == 0.0 andalso -29 + X + ((Y + 1) * Y - 14) * Y == 0.0).

-spec freudenstein_roth_sum(float(), float()) -> ok.
freudenstein_roth_sum(X, Y) ->
    A = -13 + X + ((5 - Y) * Y - 2) * Y,
    B = -29 + X + ((Y + 1) * Y - 14) * Y,
    solved(A * A + B * B == 0.0).

-spec powell(float(), float()) -> ok.
powell(X, Y) ->
    solved(1.0e4 * X * Y - 1.0 == 0.0 andalso math:exp(-X) + math:exp(-Y) - 1.0001 == 0.0).

-spec powell_sum(float(), float()) -> ok.
powell_sum(X, Y) ->
    solved(math:pow(1.0e4 * X * Y - 1.0, 2) + math:pow(math:exp(-X) + math:exp(-Y) - 1.0001, 2) == 0.0).

-spec rosenbrock(float(), float()) -> ok.
rosenbrock(X, Y) ->
    solved(100.0 * math:pow(Y - X * X, 2) + math:pow(1.0 - X, 2) == 0.0).

-spec wood(float(), float(), float(), float()) -> ok.
wood(A, B, C, D) ->
    solved(10.0 * (B - A * A) == 0.0 andalso 1.0 - A == 0.0
           andalso math:sqrt(90.0) * (D - C * C) == 0.0 andalso 1.0 - C == 0.0
           andalso math:sqrt(10.0) * (B + D - 2.0) == 0.0 andalso (B - D) / math:sqrt(10.0) == 0.0).

-spec wood_sum(float(), float(), float(), float()) -> ok.
wood_sum(A, B, C, D) ->
    solved(100.0 * math:pow(B - A * A, 2) + math:pow(1.0 - A, 2) + 90.0 * math:pow(D - C * C, 2)
           + math:pow(1.0 - C, 2) + 10.0 * math:pow(B + D - 2.0, 2) + 0.1 * math:pow(B - D, 2) == 0.0).

-spec helical_valley(float(), float(), float()) -> ok.
helical_valley(X, Y, Z) ->
    Theta = math:atan2(Y, X) / (2.0 * math:pi()),
    solved(10.0 * (Z - 10.0 * Theta) == 0.0 andalso 10.0 * (math:sqrt(X * X + Y * Y) - 1.0) == 0.0
           andalso Z == 0.0 andalso X > 0.0).

-spec helical_valley_sum(float(), float(), float()) -> ok.
helical_valley_sum(X, Y, Z) ->
    Theta = math:atan2(Y, X) / (2.0 * math:pi()),
    solved(math:pow(10.0 * (Z - 10.0 * Theta), 2) + math:pow(10.0 * (math:sqrt(X * X + Y * Y) - 1.0), 2) + Z * Z == 0.0).

-spec himmelblau(float(), float()) -> ok.
himmelblau(X, Y) ->
    solved(X * X + Y - 11 == 0.0 andalso X + Y * Y - 7 == 0.0 andalso X > 0.0).

-spec booth(float(), float()) -> ok.
booth(X, Y) ->
    solved(math:pow(X + 2 * Y - 7, 2) + math:pow(2 * X + Y - 5, 2) == 0.0).

-spec powell_singular(float(), float(), float(), float()) -> ok.
powell_singular(A, B, C, D) ->
    solved(math:pow(A + 10 * B, 2) + 5 * math:pow(C - D, 2) + math:pow(B - 2 * C, 4) + 10 * math:pow(A - D, 4)
           < 1.0e-12 andalso A > 1.0e-6).

solved(true) -> error(solved);
solved(false) -> ok.
