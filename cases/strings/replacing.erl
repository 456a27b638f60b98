%% string:replace, first, last, all.
%%! f("a.b.c")     ==> ["a--b.c","a.b--c","a--b--c"]
%%! f(<<"a.b.c">>) ==> ["a--b.c","a.b--c","a--b--c"]
-module(replacing).
-export([f/1]).
f(S) -> [unicode:characters_to_list(string:replace(S, ".", "--", W)) || W <- [leading, trailing, all]].
