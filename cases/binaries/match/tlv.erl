%% Type-length-value items, nested.
%%! f(<<1, 2, 16#ff, 16#fe, 2, 3, "abc", 3, 4, 1, 2, 0, 1>>) ==> [{int,-2},{str,<<"abc">>},{group,[{int,1}]}]
%%! f(<<2, 5, "abc">>)                                       ==> [{bad,2,5,3}]
%%! f(<<9, 0>>)                                              ==> [{bad,9,0,0}]
-module(tlv).
-export([f/1]).
f(<<1, 2, N:16/signed, Rest/binary>>) -> [{int, N} | f(Rest)];
f(<<2, L, S:L/binary, Rest/binary>>) -> [{str, S} | f(Rest)];
f(<<3, L, Inner:L/binary, Rest/binary>>) -> [{group, f(Inner)} | f(Rest)];
f(<<>>) -> [];
f(<<T, L, Rest/binary>>) -> [{bad, T, L, byte_size(Rest)}].
