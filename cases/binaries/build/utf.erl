%% Characters in utf8, utf16 and utf32; not every integer is a character.
%%! f($a)        ==> {<<"a">>,<<0,97>>,<<97,0>>,<<0,0,0,97>>,<<97,0,0,0>>}
%%! f(16#20ac)   ==> {<<226,130,172>>,<<" ¬">>,<<"¬ ">>,<<0,0,32,172>>,<<172,32,0,0>>}
%%! f(16#1f600)  ==> {<<240,159,152,128>>,<<216,61,222,0>>,<<61,216,0,222>>,<<0,1,246,0>>,<<0,246,1,0>>}
%%! f(16#d800)   ==> error badarg
%%! f(16#110000) ==> error badarg
%%! f(-1)        ==> error badarg
%%! f(a)         ==> error badarg
-module(utf).
-export([f/1]).
f(C) -> {<<C/utf8>>, <<C/utf16>>, <<C/utf16-little>>, <<C/utf32>>, <<C/utf32-little>>}.
