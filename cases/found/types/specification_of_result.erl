%% A result that the specification does not allow is a failure of the function.
%%! sign(0)  ==> 0
%%! sign(-3) ==> -1
%%? sign/1: finds spec:0 for (0); failures = 1; exhausts; runs = 3
%%? half/1: finds spec:H for (N) when is_float(H), N rem 2 =:= 1; exhausts
-module(specification_of_result).
-export([sign/1, half/1]).

-spec sign(integer()) -> -1 | 1.
sign(N) when N > 0 -> 1;
sign(N) when N < 0 -> -1;
sign(N) -> N.

-spec half(1..10) -> integer().
half(N) when N rem 2 =:= 0 -> N div 2;
half(N) -> N / 2.
