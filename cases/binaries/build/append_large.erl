%% A hundred thousand appends, checked by size and checksum.
%%! f(100000) ==> {100000,4153953219,80}
-module(append_large).
-export([f/1]).
f(N) -> B = grow(N, <<>>), {byte_size(B), erlang:crc32(B), binary:at(B, N div 2)}.
grow(0, B) -> B;
grow(N, B) -> grow(N - 1, <<B/binary, (N band 255)>>).
