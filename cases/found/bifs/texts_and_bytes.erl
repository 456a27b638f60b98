%% Characters become bytes and bytes characters.
%%! bytes([256])          ==> error badarg
%%! encoded("é")          ==> error two_bytes
%%! decoded(<<195, 169>>) ==> "é!"
%%? bytes/1 with max 100: finds error:badarg for ([_|_]); finds error:hi for ("hi"); failures = 2
%%? encoded/1 with bound 2, max 100: finds error:two_bytes for ([C]) when C >= 128, C < 2048; failures = 1
%%? decoded/1 with bound 3, max 200: finds error:{badmatch,_} for (B) when byte_size(B) > 0; failures = 1
-module(texts_and_bytes).
-export([bytes/1, encoded/1, decoded/1]).

-spec bytes([0..300]) -> binary().
bytes(L) ->
    case list_to_binary(L) of
        <<"hi">> -> error(hi);
        B -> B
    end.

-spec encoded([0..2000]) -> binary().
encoded(Text) ->
    case unicode:characters_to_binary(Text) of
        <<_, _>> = B when length(Text) =:= 1 -> error(two_bytes, [B]);
        B -> B
    end.

%% Not every binary is a text.
-spec decoded(binary()) -> string().
decoded(B) ->
    Text = [_ | _] = unicode:characters_to_list(<<B/binary, "!">>),
    Text.
