%% A guard-like filter that errs is false; another filter's error is raised; a non-boolean is bad_filter.
%%! f([1, a, 3])         ==> [3]
%%! g([1, a, 3])         ==> error badarith
%%! h([1])               ==> error {bad_filter,2}
%%! k([{}, {1}, {2, 1}]) ==> [{1}]
-module(filters_that_fail).
-export([f/1, g/1, h/1, k/1]).
f(L) -> [X || X <- L, X + 1 > 2].
g(L) -> [X || X <- L, add(X) > 2].
add(X) -> X + 1.
h(L) -> [X || X <- L, add(X)].
k(L) -> [X || X <- L, element(1, X) =:= 1].
