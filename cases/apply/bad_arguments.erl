%% apply with a module, name or argument list of the wrong kind is badarg.
%%! f(1, reverse, [[]])        ==> error badarg
%%! f(lists, 1, [[]])          ==> error badarg
%%! f(lists, reverse, x)       ==> error badarg
%%! f(lists, reverse, [1 | 2]) ==> error badarg
%%! g(1)                       ==> error badarg
%%! h("reverse")               ==> error badarg
-module(bad_arguments).
-export([f/3, g/1, h/1]).
f(M, F, A) -> apply(M, F, A).
g(M) -> M:f(1).
h(F) -> lists:F([]).
