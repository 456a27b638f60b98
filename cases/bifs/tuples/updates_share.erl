%% setelement makes a new tuple.
%%! f({1, 2, 3}) ==> {{1,2,3},{1,x,3},{y,x,z}}
-module(updates_share).
-export([f/1]).
f(T) -> U = setelement(2, T, x), V = setelement(1, setelement(3, U, z), y), {T, U, V}.
