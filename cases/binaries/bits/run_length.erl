%% Run-length coding of bits and back.
%%! f(<<2#1110000111111110:16>>) ==> {[{1,3},{0,4},{1,8},{0,1}],true}
%%! f(<<>>)                      ==> {[],true}
-module(run_length).
-export([f/1]).
f(B) -> E = encode(B), {E, decode(E) =:= B}.
encode(<<X:1, R/bits>>) -> encode(R, X, 1);
encode(<<>>) -> [].
encode(<<X:1, R/bits>>, X, N) -> encode(R, X, N + 1);
encode(R, X, N) -> [{X, N} | encode(R)].
decode(L) -> << <<(if X =:= 1 -> -1; true -> 0 end):N>> || {X, N} <- L >>.
