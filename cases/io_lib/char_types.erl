%% Tests of characters and lists.
%%! f("abc")        ==> {true,true,true,true,true}
%%! f([256])        ==> {true,true,false,false,true}
%%! f([a])          ==> {false,false,false,false,false}
%%! f([-1])         ==> {false,false,false,false,false}
%%! f(["ab", [99]]) ==> {false,true,false,false,false}
-module(char_types).
-export([f/1]).
f(L) -> {io_lib:char_list(L), io_lib:deep_char_list(L), io_lib:latin1_char_list(L),
    io_lib:printable_latin1_list(L), io_lib:printable_unicode_list(L)}.
