%% Checksums of parts combine to that of the whole.
%%! f("hello ", "world") ==> {true,true}
-module(checksums_combined).
-export([f/2]).
f(A, B) ->
    N = length(B),
    {erlang:crc32_combine(erlang:crc32(A), erlang:crc32(B), N) =:= erlang:crc32(A ++ B),
     erlang:adler32_combine(erlang:adler32(A), erlang:adler32(B), N) =:= erlang:adler32(A ++ B)}.
