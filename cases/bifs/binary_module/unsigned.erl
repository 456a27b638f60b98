%% encode_unsigned and decode_unsigned, both endiannesses.
%%! f(0)           ==> {<<0>>,<<0>>}
%%! f(256)         ==> {<<1,0>>,<<0,1>>}
%%! f(1 bsl 64)    ==> {<<1,0,0,0,0,0,0,0,0>>,<<0,0,0,0,0,0,0,0,1>>}
%%! f(-1)          ==> error badarg
%%! g(<<1, 2, 3>>) ==> {66051,197121}
%%! g(<<>>)        ==> {0,0}
-module(unsigned).
-export([f/1, g/1]).
f(N) -> {binary:encode_unsigned(N), binary:encode_unsigned(N, little)}.
g(B) -> {binary:decode_unsigned(B), binary:decode_unsigned(B, little)}.
