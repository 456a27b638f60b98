%% Zips, unzips, and lists of different lengths.
%%! f([1, 2], [a, b])   ==> {[{1,a},{2,b}],[{a,1},{b,2}],[{1,a,1},{2,b,2}]}
%%! f([1], [a, b])      ==> error function_clause
%%! g([{1, a}, {2, b}]) ==> {{[1,2],[a,b]},[{1,x},{2,y}],{[1],[2],[3]}}
-module(zipping).
-export([f/2, g/1]).
f(A, B) -> {lists:zip(A, B), lists:zipwith(fun(X, Y) -> {Y, X} end, A, B), lists:zip3(A, B, A)}.
g(L) -> {lists:unzip(L), lists:enumerate([x, y]), lists:unzip3([{1, 2, 3}])}.
