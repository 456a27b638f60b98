%% Bitstrings of any length are put together without gaps.
%%! f()                 ==> {<<1:1>>,<<5:3>>,<<0,1:1>>,<<"À">>}
%%! g(<<5:3>>, <<1:1>>) ==> {<<11:4>>,<<13:4>>,<<"·">>}
%%! h(<<16#abc:12>>)    ==> {<<21:5>>,<<26,188>>,<<"«Ê¼">>}
-module(bitstrings).
-export([f/0, g/2, h/1]).
f() -> {<<1:1>>, <<1:1, 0:1, 1:1>>, <<1:9>>, <<3:2, 0:6>>}.
g(A, B) -> {<<A/bits, B/bits>>, <<B/bits, A/bits>>, <<A/bits, A/bits, B/bits, B/bits>>}.
h(B) -> {<<B:5/bits>>, <<1:4, B/bits>>, <<B/bits, B/bits>>}.
