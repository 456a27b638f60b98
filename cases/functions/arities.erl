%% Functions of one name and different arities are different functions.
%%! f()        ==> {0,10}
%%! f(1)       ==> {1,10}
%%! f(1, 2)    ==> {1,2}
%%! f(1, 2, 3) ==> three
-module(arities).
-export([f/0, f/1, f/2, f/3]).
f() -> f(0).
f(A) -> f(A, 10).
f(A, B) -> {A, B}.
f(_, _, _) -> three.
