%% binary_part, split_binary and matches give parts that are values of their own.
%%! f(<<"abcdef">>) ==> {<<"bc">>,<<"ef">>,{<<"abcd">>,<<"ef">>}}
%%! g(<<"abcdef">>) ==> {<<"bcd">>,99,<<"bcdbcd">>}
-module(slices).
-export([f/1, g/1]).
f(B) -> {binary_part(B, 1, 2), binary_part(B, {6, -2}), split_binary(B, 4)}.
g(B) -> <<_, M:3/binary, _/binary>> = B, <<_, X, _>> = M, {M, X, <<M/binary, M/binary>>}.
