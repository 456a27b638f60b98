%% Functions may call each other in tail position without growing.
%%! even(10)     ==> true
%%! even(7)      ==> false
%%! even(100001) ==> false
-module(mutual_recursion).
-export([even/1, odd/1]).
even(0) -> true;
even(N) -> odd(N - 1).
odd(0) -> false;
odd(N) -> even(N - 1).
