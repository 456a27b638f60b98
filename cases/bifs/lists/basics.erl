%% hd, tl and length, on lists and on what is none.
%%! f([1, 2, 3]) ==> [1,[2,3],3]
%%! f([])        ==> [badarg,badarg,0]
%%! f([1 | 2])   ==> [1,2,badarg]
%%! f(x)         ==> [badarg,badarg,badarg]
%%! f({1, 2})    ==> [badarg,badarg,badarg]
-module(basics).
-export([f/1]).
f(L) -> [try erlang:F(L) catch error:R -> R end || F <- [hd, tl, length]].
