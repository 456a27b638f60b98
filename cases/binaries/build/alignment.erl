%% The same bytes at every bit offset compare equal to the aligned ones.
%%! f(<<"beagle">>) ==> true
-module(alignment).
-export([f/1]).
f(B) ->
    N = byte_size(B),
    lists:all(fun(K) ->
        <<_:K, Slice:N/binary, _/bits>> = <<0:K, B/binary, 1:1>>,
        Slice =:= B andalso erlang:phash2(Slice) =:= erlang:phash2(B)
            andalso binary_to_list(Slice) =:= binary_to_list(B) andalso #{B => ok} =:= #{Slice => ok}
    end, lists:seq(0, 15)).
