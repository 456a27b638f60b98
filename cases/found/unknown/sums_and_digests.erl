%% Checksums of bytes, and a message with its digest.
%%! collide(<<1:32>>, <<1:32>>) ==> error collide
%%! secret(<<"secret">>)        ==> error secret
%%! frame(<<0:32>>)             ==> ok
%%! packed(7)                   ==> error seven
%%? collide/2: finds error:collide for (X, X); failures = 1
%%? secret/1: finds error:secret for (<<"secret">>); failures = 1; exhausts
%%? frame/1 with max 100: finds error:{good,_} for (<<Sum:32, Data/binary>>) when Sum > 0, byte_size(Data) > 3; failures = 1; exhausts
%%? packed/1: finds error:seven for (7); failures = 1; exhausts
-module(sums_and_digests).
-export([collide/2, secret/1, frame/1, packed/1]).

-spec collide(binary(), binary()) -> ok.
collide(X, Y) ->
    case erlang:crc32(X) =:= erlang:crc32(Y) of
        true -> error(collide);
        false -> ok
    end.

-spec secret(binary()) -> ok.
secret(Text) ->
    Known = erlang:md5(<<"secret">>),
    case erlang:md5(Text) of
        Known -> error(secret);
        _ -> ok
    end.

%% What is received is believed only if its sum is right.
-spec frame(binary()) -> ok.
frame(<<Sum:32, Data/binary>>) when byte_size(Data) > 3 ->
    case erlang:crc32(Data) of
        Sum -> error({good, Data});
        _ -> ok
    end;
frame(_) -> ok.

-spec packed(integer()) -> ok.
packed(X) ->
    Seven = term_to_binary(7),
    case term_to_binary(X) of
        Seven -> error(seven);
        _ -> ok
    end.
