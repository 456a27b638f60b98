%% begin ... end is an expression anywhere.
%%! f(2)
-module(block_expressions).
-export([f/1]).
f(X) -> {begin Y = X + 1, Y * 2 end, [begin Z = Y, Z end | begin [Y] end], case begin Y - 1 end of X -> same end}.
