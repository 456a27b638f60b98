%% Quicksort in two comprehensions.
%%! sort([3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5]) ==> [1,1,2,3,3,4,5,5,5,6,9]
%%! sort([b, 2, "x", {}, 1.5, a, <<>>])     ==> [1.5,2,a,b,{},"x",<<>>]
-module(quicksort).
-export([sort/1]).
sort([]) -> [];
sort([P | R]) -> sort([X || X <- R, X < P]) ++ [P] ++ sort([X || X <- R, X >= P]).
