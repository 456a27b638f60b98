%% ++ copies its left side; the right may be anything.
%%! f([1, 2], [3])  ==> [1,2,3]
%%! f([], x)        ==> x
%%! f([1], x)       ==> [1|x]
%%! f([1 | 2], [3]) ==> error badarg
%%! f(x, [])        ==> error badarg
%%! f("ab", "cd")   ==> "abcd"
-module(append_operator).
-export([f/2]).
f(A, B) -> A ++ B.
