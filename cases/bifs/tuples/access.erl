%% element and setelement, in and out of range.
%%! f({a, b, c}, 2) ==> {b,{a,new,c},3}
%%! f({a, b, c}, 0) ==> error badarg
%%! f({a}, 2)       ==> error badarg
%%! f([a], 1)       ==> error badarg
%%! f({a}, x)       ==> error badarg
%%! f({a}, 1.0)     ==> error badarg
-module(access).
-export([f/2]).
f(T, N) -> {element(N, T), setelement(N, T, new), tuple_size(T)}.
