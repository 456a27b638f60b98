%% An element that does not match the generator's pattern is skipped.
%%! f([{ok, 1}, error, {ok, 2}, {ok, 1, 2}]) ==> [1,2]
%%! g([#{id => 1}, #{}, #{id => 3, x => y}]) ==> [1,3]
%%! h([[1, 2], [], [3], x])                  ==> [1,3]
-module(pattern_filter).
-export([f/1, g/1, h/1]).
f(L) -> [X || {ok, X} <- L].
g(L) -> [Id || #{id := Id} <- L].
h(L) -> [H || [H | _] <- L].
