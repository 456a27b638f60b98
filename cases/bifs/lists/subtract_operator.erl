%% -- removes the first occurrence of each element of the right side, exactly.
%%! f([1, 2, 3, 2, 1], [2, 1])    ==> [3,2,1]
%%! f([1, 2, 3, 2, 1], [2, 1, 2]) ==> [3,1]
%%! f([1, 1.0], [1.0])            ==> [1]
%%! f([a, b], [c])                ==> [a,b]
%%! f([a | b], [a])               ==> error badarg
%%! f([a], b)                     ==> error badarg
%%! g()                           ==> {[1,2,3],[3],10}
-module(subtract_operator).
-export([f/2, g/0]).
f(A, B) -> A -- B.
g() -> {[1, 2, 3] -- [1] -- [1], ([1, 2, 3] -- [1]) -- [2], length(lists:seq(1, 5000) -- lists:seq(1, 4990))}.
