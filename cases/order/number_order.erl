%% Numbers compare by value; an integer and an equal float are ==.
%%! lists:sort([3, 2.5, -1, 2, 1.0e10, -1.5, 1 bsl 70]) ==> [-1.5,-1,2,2.5,3,1.0e10,1180591620717411303424]
%%! f(1, 1.0)                                           ==> {false,true,true,false,false,true,true,false}
%%! f(2, 1.9)                                           ==> {false,false,false,false,true,true,true,true}
-module(number_order).
-export([f/2]).
f(A, B) -> {A < B, A =< B, A == B, A =:= B, A /= B, A =/= B, A >= B, A > B}.
