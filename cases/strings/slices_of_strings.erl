%% slice, sub_string, substr and chars.
%%! f("abcdef")          ==> {"cdef","bcd",[],"abcdef","abcdef"}
%%! f(<<"äbcdef"/utf8>>) ==> {<<"cdef">>,<<"bcd">>,<<>>,[228|<<"bcdef">>],[228|<<"bcdef">>]}
%%! g("abcdef")          ==> {"bcd","cdef",3,5,"abab","a-b"}
-module(slices_of_strings).
-export([f/1, g/1]).
f(S) -> {string:slice(S, 2), string:slice(S, 1, 3), string:slice(S, 10), string:next_grapheme(S), string:next_codepoint(S)}.
g(S) -> {string:substr(S, 2, 3), string:sub_string(S, 3), string:chr(S, $c), string:rstr("xabxab", "ab"),
    string:copies("ab", 2), string:join(["a", "b"], "-")}.
