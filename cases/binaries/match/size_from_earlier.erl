%% The size of a segment may come from an earlier segment of the same pattern.
%%! f(<<2, "abcd">>)           ==> {<<"ab">>,<<"cd">>}
%%! f(<<4, "abcd">>)           ==> {<<"abcd">>,<<>>}
%%! f(<<5, "abcd">>)           ==> {too_short,<<5,97,98,99,100>>}
%%! g(<<3, 1, "xyz", 2, "q">>) ==> {<<"xyz">>,2,<<"q">>}
%%! h(<<4:8, 9:4, 1:1>>)       ==> {9,<<1:1>>}
-module(size_from_earlier).
-export([f/1, g/1, h/1]).
f(<<N, S:N/binary, Rest/binary>>) -> {S, Rest};
f(B) -> {too_short, B}.
g(<<A, B, S:A/binary, N, T:B/binary>>) -> {S, N, T}.
h(<<N, V:N, R/bits>>) -> {V, R}.
