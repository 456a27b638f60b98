%% An error inside a conjunction or a disjunction by or makes that whole alternative false.
%%! f(5)   ==> no
%%! f([a]) ==> yes
%%! g(5)   ==> yes
%%! g([a]) ==> yes
%%! h(5)   ==> no
%%! h([a]) ==> no
-module(failing_conjunction).
-export([f/1, g/1, h/1]).
f(X) when is_integer(X) or (hd(X) =:= a) -> yes;
f(_) -> no.
g(X) when is_integer(X) orelse hd(X) =:= a -> yes;
g(_) -> no.
h(X) when not (hd(X) =:= a) -> yes;
h(_) -> no.
