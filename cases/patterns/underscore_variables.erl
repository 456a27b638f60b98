%% A variable that begins with an underscore still binds; _ never does.
%%! f(1, 1) ==> same
%%! f(1, 2) ==> different
%%! g(1, 2) ==> ignored
-module(underscore_variables).
-export([f/2, g/2]).
f(_X, _X) -> same;
f(_, _) -> different.
g(_, _) -> ignored.
