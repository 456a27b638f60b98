%% div and rem cut towards zero: the remainder has the dividend's sign.
%%! [f(A, B) || A <- [7, -7], B <- [2, -2]] ==> [{3,1,true},{-3,1,true},{-3,-1,true},{3,-1,true}]
%%! f(1, 0)                                 ==> error badarith
%%! f(1 bsl 100, 3)                         ==> {422550200076076467165567735125,1,true}
%%! f(-(1 bsl 100), 1 bsl 50)               ==> {-1125899906842624,0,true}
%%! f(-(1 bsl 59), -1)                      ==> {576460752303423488,0,true}
%%! f(5, 1 bsl 70)                          ==> {0,5,true}
%%! f(1.0, 1)                               ==> error badarith
-module(division).
-export([f/2]).
f(A, B) -> {A div B, A rem B, (A div B) * B + A rem B =:= A}.
