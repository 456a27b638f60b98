%% min and max over any terms; of two equal ones the first is taken.
%%! f(1, 2)     ==> {1,2}
%%! f(a, 1)     ==> {1,a}
%%! f(1, 1.0)   ==> {1,1}
%%! f(1.0, 1)   ==> {1.0,1.0}
%%! f("a", {a}) ==> {{a},"a"}
-module(min_max).
-export([f/2]).
f(A, B) -> {min(A, B), max(A, B)}.
