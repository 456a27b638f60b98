%% Float segments of 64, 32 and 16 bits, both endiannesses.
%%! f(<<1.5/float>>)                 ==> {1.5,3.13984e-319}
%%! f(<<0:64>>)                      ==> {0.0,0.0}
%%! f(<<0, 0, 0, 0, 0, 0, 240, 63>>) ==> {3.03865e-319,1.0}
%%! g(<<1.5:32/float>>)              ==> {1.5,6.896490392174587e-41}
%%! g(<<0, 0, 128, 127>>)            ==> {4.609571298396486e-41,none}
%%! h(<<16#3e00:16>>)                ==> 1.5
%%! h(<<16#7c00:16>>)                ==> no_float
-module(float_segments).
-export([f/1, g/1, h/1]).
f(B) -> <<A/float>> = B, <<L:64/float-little>> = B, {A, L}.
g(<<A:32/float>> = B) -> case B of <<L:32/float-little>> -> {A, L}; _ -> {A, none} end;
g(_) -> no_float.
h(<<A:16/float>>) -> A;
h(_) -> no_float.
