%% Byte order marks and encodings.
%%! [f(B) || B <- [<<16#ef, 16#bb, 16#bf, "x">>, <<16#fe, 16#ff>>, <<16#ff, 16#fe>>, <<"x">>]] ==> [{utf8,3},{{utf16,big},2},{{utf16,little},2},{latin1,0}]
%%! g() ==> [<<239,187,191>>,<<"þÿ">>,<<255,254,0,0>>,<<>>]
-module(byte_order_marks).
-export([f/1, g/0]).
f(B) -> unicode:bom_to_encoding(B).
g() -> [unicode:encoding_to_bom(E) || E <- [utf8, utf16, {utf32, little}, latin1]].
