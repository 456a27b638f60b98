%% and, or, xor and not in guards want booleans.
%%! f(true, true)   ==> both
%%! f(true, false)  ==> one
%%! f(false, false) ==> neither
%%! f(1, true)      ==> not_booleans
%%! f(true, x)      ==> not_booleans
-module(boolean_operators).
-export([f/2]).
f(A, B) when A and B -> both;
f(A, B) when A xor B -> one;
f(A, B) when not (A or B) -> neither;
f(_, _) -> not_booleans.
