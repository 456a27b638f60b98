%% Guards see the segments; a later clause starts over.
%%! f(<<200, 1>>) ==> {large,200}
%%! f(<<20, 1>>)  ==> {down,20,1}
%%! f(<<20>>)     ==> {nibbles,1,4}
-module(guard_on_segment).
-export([f/1]).
f(<<X, _/binary>>) when X > 100 -> {large, X};
f(<<X, Y>>) when X > Y -> {down, X, Y};
f(<<X:4, Y:4>>) -> {nibbles, X, Y}.
