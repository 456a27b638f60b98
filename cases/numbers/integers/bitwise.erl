%% band, bor, bxor, bnot as if in two's complement of endless width.
%%! f(2#1100, 2#1010) ==> {8,14,6,-13}
%%! f(-1, 255)        ==> {255,-1,-256,0}
%%! f(-4, -7)         ==> {-8,-3,5,3}
%%! f(0, -1)          ==> {0,-1,-1,-1}
%%! g(1.0)            ==> error badarith
-module(bitwise).
-export([f/2, g/1]).
f(A, B) -> {A band B, A bor B, A bxor B, bnot A}.
g(A) -> A band 1.
