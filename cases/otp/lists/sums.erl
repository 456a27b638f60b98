%% sum, max, min, delete, subtract, prefix, suffix.
%%! f([3, 1, 2.5])  ==> {6.5,3,1}
%%! f([])           ==> {0,function_clause,function_clause}
%%! g([a, b, c, b]) ==> {[a,c,b],[a,c,b],true,true,[a,b,c],[b,c,b,a]}
-module(sums).
-export([f/1, g/1]).
f(L) -> {lists:sum(L), try lists:max(L) catch error:R -> R end, try lists:min(L) catch error:R -> R end}.
g(L) -> {lists:delete(b, L), lists:subtract(L, [b]), lists:prefix([a, b], L), lists:suffix([c, b], L),
    lists:uniq(L), lists:reverse(L, [])}.
