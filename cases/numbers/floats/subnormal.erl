%% Very small numbers underflow gently to zero.
%%! f() ==> {0.0,5.0e-324,1.1125369292536007e-308,1.0e-320}
-module(subnormal).
-export([f/0]).
f() ->
    Min = 5.0e-324,
    {Min / 2, Min * 0.75, 2.2250738585072014e-308 / 2, lists:foldl(fun(_, X) -> X / 10 end, 1.0, lists:seq(1, 320))}.
