%% A generator's variables are new ones, even with an outer name.
%%! f(99) ==> {99,[1,2,3],"cc"}
-module(shadowing_in_generators).
-export([f/1]).
f(X) -> L = [X || X <- [1, 2, 3]], {X, L, [X || _ <- [a, b]]}.
