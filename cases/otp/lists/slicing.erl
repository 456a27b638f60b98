%% nth, nthtail, sublist, split, last, droplast.
%%! f([a, b, c, d]) ==> {b,[c,d],[a,b],[b,c],{[a],[b,c,d]},d,[a,b,c]}
%%! g([a], 2)       ==> error function_clause
%%! h([])           ==> error function_clause
-module(slicing).
-export([f/1, g/2, h/1]).
f(L) -> {lists:nth(2, L), lists:nthtail(2, L), lists:sublist(L, 2), lists:sublist(L, 2, 2), lists:split(1, L),
    lists:last(L), lists:droplast(L)}.
g(L, N) -> lists:nth(N, L).
h(L) -> lists:last(L).
