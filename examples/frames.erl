%% Frames of a binary protocol: a kind, the length of the payload, the payload, its checksum.
-module(frames).
-export([decode/1]).

-type kind() :: data | ack | close.

-spec decode(binary()) -> {ok, {kind(), binary()}, Rest :: binary()} | {error, checksum} | more.
decode(<<Kind, Length:16, Payload:Length/binary, Sum, Rest/binary>>) ->
    case checksum(Payload, 0) of
        Sum -> {ok, {kind(Kind), Payload}, Rest};
        _ -> {error, checksum}
    end;
decode(_) ->
    more.

checksum(<<Byte, Rest/binary>>, Sum) -> checksum(Rest, (Sum + Byte) band 255);
checksum(<<>>, Sum) -> Sum.

kind(1) -> data;
kind(2) -> ack;
kind(3) -> close.
