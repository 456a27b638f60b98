%% binary_to_list, list_to_binary and iolists.
%%! f([1, "ab", <<"cd">>, [[[]]], [$e | <<"f">>]]) ==> {<<1,97,98,99,100,101,102>>,7}
%%! f([256])                                       ==> error badarg
%%! f([a])                                         ==> error badarg
%%! f([1 | 2])                                     ==> error badarg
%%! f(<<"whole">>)                                 ==> {<<"whole">>,5}
%%! f([<<1:1>>])                                   ==> error badarg
%%! g(<<"abcdef">>)                                ==> {"abcdef","bcd",<<"abcdef!">>}
-module(from_binaries).
-export([f/1, g/1]).
f(L) -> {iolist_to_binary(L), iolist_size(L)}.
g(B) -> {binary_to_list(B), binary_to_list(B, 2, 4), list_to_binary([B, $!])}.
