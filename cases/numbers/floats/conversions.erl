%% float/1 and arithmetic round big integers to the nearest double.
%%! f(1)                ==> {1.0,0,true}
%%! f(9007199254740993) ==> {9.007199254740992e15,-1,true}
%%! f((1 bsl 64) - 1)   ==> {1.8446744073709552e19,1,true}
%%! f(1 bsl 1023)       ==> {8.98846567431158e307,0,true}
%%! f(1 bsl 1024)       ==> error badarg
%%! f(a)                ==> error badarg
-module(conversions).
-export([f/1]).
f(N) -> F = float(N), {F, trunc(F) - N, N + 0.0 =:= F}.
