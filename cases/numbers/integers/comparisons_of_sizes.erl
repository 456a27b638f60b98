%% Comparing small with big integers, both signs.
%%! lists:sort([1 bsl 64, -(1 bsl 64), 0, 1, -1, 1 bsl 59, -(1 bsl 59), (1 bsl 64) + 1]) ==> [-18446744073709551616,-576460752303423488,-1,0,1,576460752303423488,18446744073709551616,18446744073709551617]
%%! f(1 bsl 64, 1 bsl 65)       ==> {true,true,false,false,false,36893488147419103232,18446744073709551616}
%%! f(-(1 bsl 64), -(1 bsl 65)) ==> {false,false,true,true,false,-18446744073709551616,-36893488147419103232}
-module(comparisons_of_sizes).
-export([f/2]).
f(A, B) -> {A < B, A =< B, A > B, A >= B, A == B, max(A, B), min(A, B)}.
