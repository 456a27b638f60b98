%% A comprehension over a hundred thousand elements.
%%! f(100000) ==> {33333,111112777761111,33333}
-module(large_comprehension).
-export([f/1]).
f(N) -> L = [X * X || X <- lists:seq(1, N), X rem 3 =:= 0], {length(L), lists:sum(L), byte_size(<< <<X>> || X <- L >>)}.
