%% A bit pattern that is no finite number does not match a float segment.
%%! f(<<16#7ff0000000000000:64>>) ==> {bits,9218868437227405312}
%%! f(<<16#fff8000000000000:64>>) ==> {bits,18444492273895866368}
%%! f(<<16#7fefffffffffffff:64>>) ==> {float,1.7976931348623157e308}
%%! f(<<1:64>>)                   ==> {float,5.0e-324}
%%! f(<<16#8000000000000000:64>>) ==> {float,-0.0}
-module(float_not_finite).
-export([f/1]).
f(<<F/float>>) -> {float, F};
f(<<I:64>>) -> {bits, I}.
