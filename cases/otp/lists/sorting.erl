%% The sort family: by order, by key, by fun, merging, unique.
%%! f([3, 1, 2, 3, 1])          ==> {[1,1,2,3,3],[1,2,3],[3,3,2,1,1],[1,2,3,4],[1,2,3]}
%%! g([{b, 1}, {a, 2}, {b, 0}]) ==> {[{a,2},{b,1},{b,0}],[{a,2},{b,1}],[{a,1},{b,2}],[{b,0},{b,1},{a,2}]}
%%! f([b, 1, "s", {}])          ==> {[1,b,{},"s"],[1,b,{},"s"],["s",{},b,1],[1,2,3,4],[1,2,3]}
%%! f(x)                        ==> error function_clause
-module(sorting).
-export([f/1, g/1]).
f(L) -> {lists:sort(L), lists:usort(L), lists:sort(fun(A, B) -> A >= B end, L), lists:merge([1, 3], [2, 4]),
    lists:umerge([1, 2], [2, 3])}.
g(L) -> {lists:keysort(1, L), lists:ukeysort(1, L), lists:keymerge(1, [{a, 1}], [{b, 2}]),
    lists:sort(fun({_, A}, {_, B}) -> A =< B end, L)}.
