%% Tuples compare by size first, then by elements.
%%! lists:sort([{1, 2}, {1}, {}, {3}, {1, 1}, {a}, {1.5}, {0, 0, 0}]) ==> [{},{1},{1.5},{3},{a},{1,1},{1,2},{0,0,0}]
%%! f({1, a}, {1.0, a}) ==> {false,true,false,false}
%%! f({1, b}, {1.0, a}) ==> {false,false,false,true}
-module(tuple_order).
-export([f/2]).
f(A, B) -> {A < B, A == B, A =:= B, A > B}.
