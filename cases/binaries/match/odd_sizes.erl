%% Segments need not end at byte boundaries.
%%! f(<<16#12, 16#34, 16#56>>) ==> {1,564,43,0}
%%! g(<<2#10110011>>)          ==> {1,1,4,3}
%%! h(<<5:3, 6:5>>)            ==> {-3,6}
-module(odd_sizes).
-export([f/1, g/1, h/1]).
f(<<A:4, B:12, C:7, D:1>>) -> {A, B, C, D}.
g(<<A:1, B:2, C:3, D:2>>) -> {A, B, C, D}.
h(<<A:3/signed, B:5/signed>>) -> {A, B}.
