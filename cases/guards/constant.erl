%% Guards that are always true or always false.
%%! f(1) ==> {always,1}
%%! g(1) ==> reflexive
-module(constant).
-export([f/1, g/1]).
f(_) when false -> never;
f(_) when 1 =:= 1.0; fail -> never;
f(X) when true -> {always, X}.
g(X) when X =:= X, X == X, not (X < X) -> reflexive.
