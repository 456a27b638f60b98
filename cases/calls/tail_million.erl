%% A million tail calls use no stack.
%%! f(1000000, 0) ==> 500000500000
%%! g(1000000)    ==> done
-module(tail_million).
-export([f/2, g/1, h/1]).
f(0, Acc) -> Acc;
f(N, Acc) -> f(N - 1, Acc + N).
g(N) -> ping(N).
ping(0) -> done;
ping(N) -> pong(N - 1).
pong(0) -> done_odd;
pong(N) -> ?MODULE:h(N - 1).
h(N) -> ping(N).
