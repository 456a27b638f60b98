%% from_list and from_keys, with duplicates and errors.
%%! f([{a, 1}, {b, 2}, {a, 3}]) ==> #{a => 3,b => 2}
%%! f([])                       ==> #{}
%%! f([{a, 1} | x])             ==> error badarg
%%! f([a])                      ==> error badarg
%%! f(x)                        ==> error badarg
%%! g([b, a, b])                ==> #{a => v,b => v}
-module(from_lists).
-export([f/1, g/1]).
f(L) -> maps:from_list(L).
g(L) -> maps:from_keys(L, v).
