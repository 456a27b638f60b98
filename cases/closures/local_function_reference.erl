%% fun name/arity makes a fun of a local function.
%%! f([3, 1, 2]) ==> [6,4,2]
%%! g()          ==> {42,true,true,false}
-module(local_function_reference).
-export([f/1, g/0]).
f(L) -> lists:map(fun double/1, lists:sort(fun larger/2, L)).
double(X) -> 2 * X.
larger(A, B) -> A >= B.
g() -> F = fun double/1, {F(21), is_function(F), is_function(F, 1), is_function(F, 2)}.
