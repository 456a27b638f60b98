%% Integers and floats compare exactly, beyond the precision of doubles.
%%! f(9007199254740992, 9007199254740992.0)   ==> {true,false,false,false,true}
%%! f(9007199254740993, 9007199254740992.0)   ==> {false,false,true,false,false}
%%! f(1 bsl 64, 18446744073709551616.0)       ==> {true,false,false,false,true}
%%! f((1 bsl 64) + 1, 18446744073709551616.0) ==> {false,false,true,false,false}
%%! f(1 bsl 2000, 1.7976931348623157e308)     ==> {false,false,true,false,false}
%%! f(0, -0.0)                                ==> {true,false,false,false,true}
-module(exact_comparison).
-export([f/2]).
f(I, F) -> {I == F, I < F, I > F, I =:= F, I =< F}.
