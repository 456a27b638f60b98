%% Fractions as an abstract data type. The inverse of zero is made without complaint, and rounding it divides by zero.
%%? client: finds error:badarith
%% Scenario: A = fraction_of_zero:new(0, 5), fraction_of_zero:round_down(fraction_of_zero:inverse(A))
-module(fraction_of_zero).
-export([new/2, add/2, multiply/2, inverse/1, round_down/1]).
-export_type([fraction/0]).

-opaque fraction() :: {integer(), integer()}.

-spec new(integer(), pos_integer()) -> fraction().
new(Numerator, Denominator) -> {Numerator, Denominator}.

-spec add(fraction(), fraction()) -> fraction().
add({A, B}, {C, D}) -> {A * D + C * B, B * D}.

-spec multiply(fraction(), fraction()) -> fraction().
multiply({A, B}, {C, D}) -> {A * C, B * D}.

-spec inverse(fraction()) -> fraction().
inverse({A, B}) when A < 0 -> {-B, -A};
inverse({A, B}) -> {B, A}.

-spec round_down(fraction()) -> integer().
round_down({A, B}) when A >= 0 -> A div B;
round_down({A, B}) -> -((B - A - 1) div B).
