%% A million frames deep, without a tail call.
%%! f(1000000) ==> 1000000
%%! g(1000000) ==> 1000000
-module(deep_recursion).
-export([f/1, g/1]).
f(0) -> 0;
f(N) -> 1 + f(N - 1).
g(N) -> length(build(N)).
build(0) -> [];
build(N) -> [N | build(N - 1)].
