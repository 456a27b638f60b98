%% Stresses binary construction and matching: packets of typed, length-prefixed fields with a checksum.
-module(packets).
-export([main/1, size/0]).

size() -> 700000.

main(N) ->
    Stream = build(N, 5, []),
    {Count, Sum, Bad} = parse(Stream, 0, 0, 0),
    {byte_size(Stream), Count, Sum rem 1000007, Bad}.

build(0, _, Acc) -> iolist_to_binary(lists:reverse(Acc));
build(N, Seed, Acc) ->
    Next = (Seed * 1103515245 + 12345) band 16#7fffffff,
    Fields = <<1, 4:16, N:32, 2, 2:16, (Next band 16#ffff):16/little-signed, 3, 8:16, (N / 3):64/float, 4, 5:16, "hello">>,
    Damage = if Next rem 97 =:= 0 -> 1; true -> 0 end,
    build(N - 1, Next, [<<16#ca:8, 1:4, 2:4, (byte_size(Fields)):16, Fields/binary, (checksum(Fields, 0) + Damage):16>> | Acc]).

parse(<<16#ca, 1:4, Kind:4, Length:16, Fields:Length/binary, Check:16, Rest/binary>>, Count, Sum, Bad) ->
    case checksum(Fields, 0) of
        Check -> parse(Rest, Count + Kind, fields(Fields, Sum), Bad);
        _ -> parse(Rest, Count, Sum, Bad + 1)
    end;
parse(<<>>, Count, Sum, Bad) -> {Count, Sum, Bad}.

fields(<<1, 4:16, N:32, Rest/binary>>, Sum) -> fields(Rest, Sum + N);
fields(<<2, 2:16, N:16/little-signed, Rest/binary>>, Sum) -> fields(Rest, Sum + N);
fields(<<3, 8:16, F:64/float, Rest/binary>>, Sum) -> fields(Rest, Sum + trunc(F));
fields(<<_, Length:16, Value:Length/binary, Rest/binary>>, Sum) -> fields(Rest, Sum + byte_size(Value));
fields(<<>>, Sum) -> Sum.

checksum(<<W:16, Rest/binary>>, Sum) -> checksum(Rest, (Sum + W) band 16#7fff);
checksum(<<B>>, Sum) -> (Sum + B) band 16#7fff;
checksum(<<>>, Sum) -> Sum.
