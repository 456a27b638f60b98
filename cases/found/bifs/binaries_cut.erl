%% Sizes of binaries, their parts, and their bytes as lists.
%%! part(<<1, 2, 3>>)    ==> error two_three
%%! halves(<<1, 2>>)     ==> ok
%%! listed(<<"ab">>)     ==> error ab
%%! flat(["a", <<"b">>]) ==> error ab
%%? part/1: finds error:badarg for (B) when byte_size(B) < 3; finds error:two_three for (<<_, 2, 3, _/binary>>); failures = 2
%%? halves/1: finds error:same for (<<H:2/binary, H:2/binary>>); failures = 1
%%? listed/1: finds error:ab for (<<"ab">>); failures = 1
%%? flat/1 with max 200: finds error:ab for (_); failures = 1
%%? sizes/1: finds error:odd for (B) when bit_size(B) =:= 11; failures = 1
-module(binaries_cut).
-export([part/1, halves/1, listed/1, flat/1, sizes/1]).

-spec part(binary()) -> binary().
part(B) ->
    case binary_part(B, 1, 2) of
        <<2, 3>> -> error(two_three);
        P -> P
    end.

-spec halves(binary()) -> ok.
halves(B) when byte_size(B) =:= 4 ->
    case split_binary(B, 2) of
        {H, H} -> error(same);
        _ -> ok
    end;
halves(_) -> ok.

-spec listed(binary()) -> [byte()].
listed(B) ->
    case binary_to_list(B) of
        "ab" -> error(ab);
        L -> L
    end.

-spec flat([binary() | byte()]) -> binary().
flat(Parts) ->
    case iolist_to_binary(Parts) of
        <<"ab">> -> error(ab);
        B -> B
    end.

-spec sizes(bitstring()) -> ok.
sizes(B) when bit_size(B) =:= 11, byte_size(B) =:= 2 -> error(odd);
sizes(_) -> ok.
