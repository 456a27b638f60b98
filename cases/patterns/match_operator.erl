%% A match that fails raises badmatch with the value.
%%! f({ok, 1})    ==> 1
%%! f({error, x}) ==> error {badmatch,{error,x}}
%%! g([1, 2])     ==> {1,[2]}
%%! g([])         ==> error {badmatch,[]}
%%! h(5)          ==> matched
%%! h(6)          ==> error {badmatch,6}
-module(match_operator).
-export([f/1, g/1, h/1]).
f(X) -> {ok, V} = X, V.
g(L) -> [H | T] = L, {H, T}.
h(X) -> Y = 5, Y = X, matched.
