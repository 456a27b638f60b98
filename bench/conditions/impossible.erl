%% Conditions without a solution: whatever is said to solve one is wrong.
-module(impossible).
-compile([export_all, nowarn_export_all]).

-spec square_is_negative(float()) -> ok.
square_is_negative(X) ->
    solved(X * X < 0.0).

-spec sine_beyond_one(float(), float()) -> ok.
sine_beyond_one(X, Y) ->
    solved(math:sin(X * Y) > 1.0).

-spec square_of_two(integer()) -> ok.
square_of_two(X) ->
    solved(X * X =:= 2 * 1000003 * 1000003).

-spec root_of_its_negative(float()) -> ok.
root_of_its_negative(X) ->
    solved(X > 0.0 andalso math:sqrt(X) < 0.0).

-spec exponential_below_line(float()) -> ok.
exponential_below_line(X) ->
    solved(X > -10.0 andalso X < 10.0 andalso math:exp(X) < X).

-spec circle_misses_line(float(), float()) -> ok.
circle_misses_line(X, Y) ->
    solved(X * X + Y * Y == 1.0 andalso X + Y == 2.0).

-spec logarithm_of_square(float()) -> ok.
logarithm_of_square(X) ->
    solved(X > 1.0 andalso math:log(X) > X).

-spec parity_of_square(integer()) -> ok.
parity_of_square(X) ->
    solved((X * X) band 3 =:= 2).

-spec sum_of_squares_below(float(), float(), float()) -> ok.
sum_of_squares_below(X, Y, Z) ->
    solved(math:pow(X - 1.0, 2) + math:pow(Y + 2.0, 2) + math:pow(Z, 2) < -1.0e-9).

-spec cosine_twice(float()) -> ok.
cosine_twice(X) ->
    solved(math:cos(X) > 0.9 andalso math:sin(X) > 0.9).

-spec collision_of_an_injection(0..16#FFFF, 0..16#FFFF) -> ok.
collision_of_an_injection(X, Y) ->
    solved(X =/= Y andalso (X * 3) bxor 16#55 =:= (Y * 3) bxor 16#55).

solved(true) -> error(solved);
solved(false) -> ok.
