%% Packets: a kind, the size of the payload, the payload, and a checksum over all of it.
-module(packets).
-export([decode/1]).

-spec decode(binary()) -> {ok, {text, binary()} | {number, integer()}} | {error, format | checksum}.
decode(<<Kind, Size:16, Payload:Size/binary, Sum:32>>) ->
    case erlang:crc32([Kind, Payload]) of
        Sum -> {ok, payload(Kind, Payload)};
        _ -> {error, checksum}
    end;
decode(_) ->
    {error, format}.

payload(1, Text) -> {text, Text};
payload(2, <<Number:32>>) -> {number, Number}.
