%% A guard that is not a boolean is false, not an error.
%%! f(true)  ==> yes
%%! f(false) ==> no
%%! f(1)     ==> no
%%! f(other) ==> no
%%! g(yes)   ==> no
%%! h(1)     ==> integer
-module(non_boolean).
-export([f/1, g/1, h/1]).
f(X) when X -> yes;
f(_) -> no.
g(X) when not X -> yes;
g(_) -> no.
h(X) when X andalso true -> yes;
h(X) when X; is_integer(X) -> integer;
h(_) -> no.
