%% A packet is looked into only if its magic, its length field and its checksum are all right.
%%! parse(<<16#CA, 16#FE, 3:16, 6, 1, 2, 3>>) ==> error {accepted,<<1,2,3>>}
%%! parse(<<16#CA, 16#FE, 3:16, 7, 1, 2, 3>>) ==> wrong_sum
%%! parse(<<16#CA, 16#FE, 4:16, 6, 1, 2, 3>>) ==> not_ours
%%? parse/1 with max 200: finds error:{accepted,Payload} for (<<16#CA,16#FE,N:16,_,Payload/binary>>) when byte_size(Payload) =:= N
-module(checksum_and_length).
-export([parse/1]).

-spec parse(binary()) -> short | wrong_sum | not_ours.
parse(<<16#CA, 16#FE, Length:16, Sum:8, Payload:Length/binary>>) ->
    if
        Length < 3 -> short;
        true ->
            case sum(Payload, 0) rem 256 of
                Sum -> error({accepted, Payload});
                _ -> wrong_sum
            end
    end;
parse(_) -> not_ours.

sum(<<Byte, Rest/binary>>, Sum) -> sum(Rest, Sum + Byte);
sum(<<>>, Sum) -> Sum.
