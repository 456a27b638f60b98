%% iolist_to_iovec and nested iolists of depth.
%%! f([<<"ab">>, "cd", [[<<"ef">>]]]) ==> {<<"abcdef">>,<<"abcdef">>,6}
%%! g(1000)                           ==> 2000
-module(iovecs).
-export([f/1, g/1]).
f(L) -> {iolist_to_binary(erlang:iolist_to_iovec(L)), iolist_to_binary(L), erlang:iolist_size(L)}.
g(N) -> iolist_size(lists:foldl(fun(I, Acc) -> [Acc, I rem 256 | <<"x">>] end, [], lists:seq(1, N))).
