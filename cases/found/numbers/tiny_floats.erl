%% Between zero and a very small float there are floats, and no integers.
%%! tiny(0.0)     ==> ok
%%! tiny(1.0e-12) ==> error tiny
%%? tiny/1: finds error:tiny for (X) when 0 < X, X < 1.0e-11; failures = 1
%%? whole/1: clean; exhausts
-module(tiny_floats).
-export([tiny/1, whole/1]).

-spec tiny(number()) -> ok.
tiny(X) when 0 < X, X < 1.0e-11 -> error(tiny);
tiny(_) -> ok.

-spec whole(integer()) -> ok.
whole(X) when 0 < X, X < 1.0e-11 -> error(tiny);
whole(_) -> ok.
