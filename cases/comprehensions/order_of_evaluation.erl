%% The second generator is evaluated anew for each element of the first.
%%! f() ==> {[{b,2},{c,2},{c,3}],3}
-module(order_of_evaluation).
-export([f/0]).
f() ->
    put(count, 0),
    R = [{X, Y} || X <- [a, b, c], Y <- next(), Y > 1],
    {R, get(count)}.
next() -> N = get(count) + 1, put(count, N), lists:seq(1, N).
