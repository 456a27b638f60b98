%% Little-endian segments whose size is not a multiple of eight.
%%! f(<<16#ab, 16#cd>>) ==> {3243,13}
%%! g(<<16#ab, 16#cd>>) ==> {5,3422}
%%! h(<<255, 3:2>>)     ==> 1023
-module(little_endian_odd).
-export([f/1, g/1, h/1]).
f(<<A:12/little, B:4/little>>) -> {A, B}.
g(<<A:3/little, B:13/little-signed>>) -> {A, B}.
h(<<A:10/little>>) -> A.
