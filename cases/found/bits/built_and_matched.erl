%% What is built from symbolic parts is matched against its own layout.
%%! pack(3, 7)               ==> error packed
%%! joined(<<"a">>, <<"b">>) ==> <<"ab">>
%%? pack/2: finds error:packed for (3, 7); failures = 1
%%? joined/2: finds error:{joined,_,_} for (A, B) when <<A/binary, B/binary>> =:= <<"abc">>; failures = 1
-module(built_and_matched).
-export([pack/2, joined/2]).

-spec pack(0..15, 0..15) -> byte().
pack(High, Low) ->
    <<Byte>> = <<High:4, Low:4>>,
    case Byte of
        16#37 -> error(packed);
        _ -> Byte
    end.

-spec joined(binary(), binary()) -> binary().
joined(A, B) ->
    case <<A/binary, B/binary>> of
        <<"abc">> when byte_size(A) > 0 -> error({joined, A, B});
        C -> C
    end.
