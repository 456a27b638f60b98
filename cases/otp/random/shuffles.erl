%% A shuffle by random keys, and jumps.
%%! f([1, 2, 3, 4, 5, 6, 7, 8]) ==> [1,4,6,7,3,5,8,2]
%%! g()                         ==> 718394
-module(shuffles).
-export([f/1, g/0]).
f(L) -> rand:seed(exsss, {9, 9, 9}), [X || {_, X} <- lists:sort([{rand:uniform(), X} || X <- L])].
g() -> S = rand:jump(rand:seed_s(exsss, 1)), {N, _} = rand:uniform_s(1000000, S), N.
