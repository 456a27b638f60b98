%% Six bits at a time: an encoder over odd segments.
%%! f(<<"Beagle">>) ==> "QmVhZ2xl"
%%! f(<<"B">>)      ==> "Qg=="
%%! f(<<"Be">>)     ==> "QmU="
-module(base64_by_hand).
-export([f/1]).
f(<<A:6, B:6, C:6, D:6, R/binary>>) -> [c(A), c(B), c(C), c(D) | f(R)];
f(<<A:6, B:6, C:4>>) -> [c(A), c(B), c(C bsl 2), $=];
f(<<A:6, B:2>>) -> [c(A), c(B bsl 4), $=, $=];
f(<<>>) -> [].
c(N) -> lists:nth(N + 1, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/").
