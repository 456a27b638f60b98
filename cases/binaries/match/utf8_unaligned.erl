%% utf8 decodes at any bit position.
%%! f(<<1:3, "é"/utf8, 2:5>>) ==> {1,233,2}
-module(utf8_unaligned).
-export([f/1]).
f(<<A:3, C/utf8, B:5>>) -> {A, C, B}.
