%% fetch of a missing key.
%%! f(dict)     ==> error badarg
%%! f(orddict)  ==> error function_clause
%%! f(gb_trees) ==> error function_clause
-module(dict_errors).
-export([f/1]).
f(gb_trees) -> gb_trees:get(x, gb_trees:empty());
f(D) -> D:fetch(x, D:new()).
