%% begin ... end is an expression anywhere.
%%! f(2) ==> {6,[3,3],same}
-module(block_expressions).
-export([f/1]).
f(X) ->
    A = begin Y = X + 1, Y * 2 end,
    {A, [begin Z = Y, Z end | begin [Y] end], case begin Y - 1 end of X -> same end}.
