%% A binary or bitstring segment without a size takes the rest.
%%! f(<<1, 2, 3>>)   ==> {1,<<2,3>>}
%%! f(<<1>>)         ==> {1,<<>>}
%%! f(<<>>)          ==> empty
%%! g(<<1, 2, 3:4>>) ==> {bits,<<2,3:4>>,12}
%%! h(<<1, 2, 3:4>>) ==> <<16,35>>
-module(binary_rest).
-export([f/1, g/1, h/1]).
f(<<H, T/binary>>) -> {H, T};
f(<<>>) -> empty.
g(<<_, T/binary>>) -> {bytes, T};
g(<<_, T/bitstring>>) -> {bits, T, bit_size(T)}.
h(<<_:4, T/bits>>) -> T.
