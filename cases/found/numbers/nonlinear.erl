%% Products of unknowns have factors to be found.
%%! factors(7, 11)      ==> error {factors,7,11}
%%! pythagoras(3, 4, 5) ==> error right_angle
%%? factors/2: finds error:{factors,_,_} for (X, Y) when X * Y =:= 77, X > 1, Y > X; failures = 1
%%? pythagoras/3: finds error:right_angle for (A, B, C) when A * A + B * B =:= C * C, A < B; failures = 1
-module(nonlinear).
-export([factors/2, pythagoras/3]).

-spec factors(integer(), integer()) -> ok.
factors(X, Y) when X > 1, Y > X, X * Y =:= 77 -> error({factors, X, Y});
factors(_, _) -> ok.

-spec pythagoras(1..20, 1..20, 1..20) -> ok.
pythagoras(A, B, C) when A < B, B < C, A * A + B * B =:= C * C -> error(right_angle);
pythagoras(_, _, _) -> ok.
