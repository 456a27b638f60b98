%% Binary segments with a size count in units of eight; bits in units of one.
%%! f(<<1, 2, 3, 4>>)       ==> {<<1,2,3>>,<<4>>}
%%! f(<<1, 2>>)             ==> {short,<<1,2>>}
%%! g(<<16#ab, 16#cd>>)     ==> {<<21:5>>,<<30:6>>,<<13:5>>}
%%! h(<<1, 2, 3, 4, 5, 6>>) ==> {<<1,2,3,4>>,<<5,6>>}
-module(sized_binary).
-export([f/1, g/1, h/1]).
f(<<A:3/binary, B/binary>>) -> {A, B};
f(<<A:2/bytes>>) -> {short, A}.
g(<<A:5/bits, B:6/bitstring, C/bits>>) -> {A, B, C}.
h(<<A:2/binary-unit:16, B/binary-unit:16>>) -> {A, B}.
