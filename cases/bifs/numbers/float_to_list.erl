%% Floats to text: scientific by default, decimals and compact on request, short.
%%! f(3.14159) ==> {"3.14158999999999988262e+00","3.142e+00","3.14","3.14159","3.14159",<<"3">>}
%%! f(100.0)   ==> {"1.00000000000000000000e+02","1.000e+02","100.00","100.0","100.0",<<"100">>}
%%! f(-0.0)    ==> {"-0.00000000000000000000e+00","-0.000e+00","-0.00","-0.0","-0.0",<<"-0">>}
%%! f(1.0e22)  ==> {"1.00000000000000000000e+22","1.000e+22","10000000000000000000000.00","10000000000000000000000.0","1.0e22",<<"10000000000000000000000">>}
%%! g(1)       ==> error badarg
-module(float_to_list).
-export([f/1, g/1]).
f(X) ->
    {float_to_list(X), float_to_list(X, [{scientific, 3}]), float_to_list(X, [{decimals, 2}]),
     float_to_list(X, [{decimals, 6}, compact]), float_to_list(X, [short]), float_to_binary(X, [{decimals, 0}])}.
g(X) -> float_to_list(X).
