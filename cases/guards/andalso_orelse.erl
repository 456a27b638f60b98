%% andalso and orelse evaluate their right side only when needed.
%%! f([])  ==> empty_or_atom
%%! f([1]) ==> positive
%%! f([0]) ==> other
%%! f(x)   ==> empty_or_atom
%%! g({1}) ==> yes
%%! g(1)   ==> no
-module(andalso_orelse).
-export([f/1, g/1]).
f(X) when is_list(X) andalso length(X) > 0 andalso hd(X) > 0 -> positive;
f(X) when X =:= [] orelse is_atom(X) -> empty_or_atom;
f(_) -> other.
g(X) when is_tuple(X) andalso (element(1, X) > 0 orelse element(2, X) > 0) -> yes;
g(_) -> no.
