%% A product of an unknown float with itself is compared with a constant.
%%! above(1.5) ==> error above
%%? above/1: finds error:above for (X) when X * X > 2.0; failures = 1
%%? exact/1: finds error:exact for (X) when X * X =:= 2.25; failures = 1
-module(squares_of_floats).
-export([above/1, exact/1]).

-spec above(float()) -> ok.
above(X) when X * X > 2.0, X < 100.0, X > -100.0 -> error(above);
above(_) -> ok.

-spec exact(float()) -> ok.
exact(X) when X * X =:= 2.25 -> error(exact);
exact(_) -> ok.
