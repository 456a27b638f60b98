%% utf16 and utf32 segments, both endiannesses, with surrogates.
%%! f(<<"a€😀"/utf16>>)        ==> [97,8364,128512,<<>>]
%%! f(<<16#d8, 0>>)           ==> [<<216,0>>]
%%! f(<<16#dc, 0, 16#d8, 0>>) ==> [<<220,0,216,0>>]
%%! l(<<"a€😀"/utf16-little>>) ==> [97,8364,128512,<<>>]
%%! g(<<"a€😀"/utf32>>)        ==> [97,8364,128512,<<>>]
%%! g(<<16#11, 0, 0, 0>>)     ==> [<<17,0,0,0>>]
%%! k(<<"a😀"/utf32-little>>)  ==> [97,128512,<<>>]
-module(utf16_utf32).
-export([f/1, l/1, g/1, k/1]).
f(<<C/utf16, Rest/binary>>) -> [C | f(Rest)];
f(Rest) -> [Rest].
l(<<C/utf16-little, Rest/binary>>) -> [C | l(Rest)];
l(Rest) -> [Rest].
g(<<C/utf32, Rest/binary>>) -> [C | g(Rest)];
g(Rest) -> [Rest].
k(<<C/little-utf32, Rest/binary>>) -> [C | k(Rest)];
k(Rest) -> [Rest].
