%% Stresses amortised growth of binaries at their end, by bytes, by small binaries and by odd bits.
-module(binary_append).
-export([main/1, size/0]).

size() -> 10000000.

main(N) ->
    A = bytes(N, <<>>),
    B = chunks(N div 3, <<>>),
    C = bits(N div 3, <<>>),
    {byte_size(A), byte_size(B), bit_size(C), erlang:crc32(A), erlang:crc32(B), binary:at(A, N div 2)}.

bytes(0, Acc) -> Acc;
bytes(N, Acc) -> bytes(N - 1, <<Acc/binary, N>>).

chunks(0, Acc) -> Acc;
chunks(N, Acc) -> chunks(N - 1, <<Acc/binary, "chunk:", N:16>>).

bits(0, Acc) -> Acc;
bits(N, Acc) -> bits(N - 1, <<Acc/bits, N:5>>).
