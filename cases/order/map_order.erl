%% Maps compare by size, then keys, then values; keys tell integers from floats.
%%! f(#{a => 1}, #{a => 2})                   ==> {true,false,false,false}
%%! f(#{a => 1}, #{b => 0})                   ==> {true,false,false,false}
%%! f(#{a => 1, b => 1}, #{c => 0})           ==> {false,false,false,true}
%%! f(#{a => 1}, #{a => 1.0})                 ==> {false,true,false,false}
%%! f(#{1 => a}, #{1.0 => a})                 ==> {true,false,false,false}
%%! f(#{1 => a, 2 => b}, #{1.0 => a, 2 => b}) ==> {true,false,false,false}
%%! f(#{1.0 => a}, #{0 => a})                 ==> {false,false,false,true}
-module(map_order).
-export([f/2]).
f(A, B) -> {A < B, A == B, A =:= B, A > B}.
