%% A fun of several clauses matches and guards like a function.
%%! f(0)      ==> zero
%%! f(-3)     ==> {negative,3}
%%! f([1, 2]) ==> {list,1}
%%! f(x)      ==> error function_clause
-module(several_clauses).
-export([f/1]).
f(V) ->
    F = fun
        (0) -> zero;
        (N) when is_integer(N), N < 0 -> {negative, -N};
        ([H | _]) -> {list, H}
    end,
    F(V).
