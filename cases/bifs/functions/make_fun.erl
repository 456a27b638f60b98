%% make_fun builds an external fun from names.
%%! f(lists, reverse, 1)  ==> fun lists:reverse/1
%%! f(lists, reverse, -1) ==> error badarg
%%! f(1, reverse, 1)      ==> error badarg
%%! g()                   ==> 2
-module(make_fun).
-export([f/3, g/0]).
f(M, F, A) -> erlang:make_fun(M, F, A).
g() -> (erlang:make_fun(erlang, length, 1))([a, b]).
