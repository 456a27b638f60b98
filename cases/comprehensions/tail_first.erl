%% The list that ++ appends to a comprehension is evaluated before the comprehension.
%%! f() ==> {[a,b,undefined,undefined],seen,seen}
-module(tail_first).
-export([f/0]).
f() -> L = [begin put(X, seen), X end || X <- [a, b]] ++ [get(a), get(b)], {L, get(a), get(b)}.
