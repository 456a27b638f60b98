%% binary:copy and referenced_byte_size leave the value alone.
%%! f(<<"abcdef">>) ==> {true,<<"abc">>,true}
-module(referenced).
-export([f/1]).
f(B) -> <<P:3/binary, _/binary>> = B, C = binary:copy(P), {P =:= C, C, binary:referenced_byte_size(C) >= 3}.
