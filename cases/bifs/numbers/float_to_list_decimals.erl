%% Decimals are rounded, and there may be many.
%%! [f(X, 2) || X <- [0.005, 0.015, 1.005, 2.675, 0.125, -0.004, 99.995]] ==> ["0.01","0.02","1.00","2.67","0.13","-0.00","100.00"]
%%! f(0.1, 20)              ==> "0.10000000000000000555"
%%! f(1.0e15, 3)            ==> "1000000000000000.000"
%%! g(2.5)                  ==> {"3","2e+00","2.5","2.50000000000000000000e+00"}
%%! h(1.0, {decimals, -1})  ==> error badarg
%%! h(1.0, {decimals, 300}) ==> error badarg
%%! h(1.0, nonsense)        ==> error badarg
-module(float_to_list_decimals).
-export([f/2, g/1, h/2]).
f(X, N) -> float_to_list(X, [{decimals, N}]).
g(X) -> {float_to_list(X, [{decimals, 0}]), float_to_list(X, [{scientific, 0}]),
    float_to_list(X, [{decimals, 4}, compact]), float_to_list(X, [compact])}.
h(X, Option) -> float_to_list(X, [Option]).
