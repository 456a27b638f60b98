
%% Parts of bitstrings. Places are compared in bits: a size in bytes is a quotient.

part_of_binary(Bits, {From, Length}) when is_integer(From), is_integer(Length) ->
    part_of_binary(Bits, From, Length);
part_of_binary(_, _) ->
    error(badarg).

part_of_binary(Bits, At, Length) ->
    {From, To} = range(At, Length, bit_size(Bits)),
    bytes(Bits, From, To).

%% A part of a length below zero ends at its place.
range(At, Length, Size) when At >= 0, Length >= 0, (At + Length) * 8 =< Size -> {At, At + Length};
range(At, Length, Size) when Length < 0, At + Length >= 0, At * 8 =< Size -> {At + Length, At};
range(_, _, _) -> error(badarg).

bytes(Bits, From, To) -> beagle_native:bits_slice(Bits, From * 8, (To - From) * 8).

part_to_list(Bits, First, Last) when First =< Last, Last * 8 =< bit_size(Bits) ->
    binary_to_list(bytes(Bits, First - 1, Last));
part_to_list(_, _, _) ->
    error(badarg).

binary_copies(_, 0) -> <<>>;
binary_copies(Binary, Count) when Count =< ?MOST_COPIES, is_binary(Binary) -> binary_copies(Binary, Count, Binary);
binary_copies(Bits, Count) -> beagle_native:binary_copy(Bits, Count).

binary_copies(_, 1, Copies) -> Copies;
binary_copies(Binary, Count, Copies) -> binary_copies(Binary, Count - 1, <<Copies/binary, Binary/binary>>).

longest_common_prefix(Binaries) ->
    common(0, checked_binaries(Binaries), fun(Binary, At) -> binary:at(Binary, At) end).

longest_common_suffix(Binaries) ->
    common(0, checked_binaries(Binaries), fun(Binary, At) -> binary:at(Binary, byte_size(Binary) - At - 1) end).

common(Count, [Binary | Others] = Binaries, Nth) ->
    case bit_size(Binary) > Count * 8 andalso all_have(Nth(Binary, Count), Count, Others, Nth) of
        true -> common(Count + 1, Binaries, Nth);
        false -> Count
    end.

all_have(Byte, At, [Binary | Others], Nth) ->
    bit_size(Binary) > At * 8 andalso Nth(Binary, At) =:= Byte andalso all_have(Byte, At, Others, Nth);
all_have(_, _, [], _) ->
    true.

checked_binaries(Binaries) ->
    check_binaries(Binaries),
    Binaries.

check_binaries([Binary]) when is_binary(Binary) -> ok;
check_binaries([Binary | Binaries]) when is_binary(Binary) -> check_binaries(Binaries);
check_binaries(_) -> error(badarg).

decode_number(Binary, big) ->
    binary:decode_unsigned(Binary);
decode_number(Binary, little) ->
    Size = bit_size(Binary),
    <<Number:Size/little>> = Binary,
    Number;
decode_number(_, _) ->
    error(badarg).

encode_number(Number) ->
    encode_number(Number, big).

encode_number(Number, big) ->
    Size = size_of_number(Number, 8),
    <<Number:Size/big>>;
encode_number(Number, little) ->
    Size = size_of_number(Number, 8),
    <<Number:Size/little>>;
encode_number(_, _) ->
    error(badarg).

size_of_number(Number, Size) when Number < 1 bsl Size -> Size;
size_of_number(Number, Size) -> size_of_number(Number, Size + 8).

%% Bitstrings and (deep) lists of bytes and bitstrings.

bits_to_list(<<Byte, Bits/bits>>) -> [Byte | bits_to_list(Bits)];
bits_to_list(<<>>) -> [];
bits_to_list(Partial) -> [Partial].

list_to_bytes(List) -> collected(List, bytes, <<>>).

list_to_bits(List) -> collected(List, bits, <<>>).

iodata_to_bytes(Binary) when is_binary(Binary) -> Binary;
iodata_to_bytes(List) when is_list(List) -> list_to_bytes(List);
iodata_to_bytes(_) -> error(badarg).

collected([Item | Items], Parts, Bits) -> collected(Items, Parts, collected_item(Item, Parts, Bits));
collected([], _, Bits) -> Bits;
collected(Last, Parts, Bits) -> collected_bits(Last, Parts, Bits).

collected_item(Byte, _, Bits) when is_integer(Byte), Byte >= 0, Byte =< 255 -> <<Bits/bits, Byte>>;
collected_item(List, Parts, Bits) when is_list(List) -> collected(List, Parts, Bits);
collected_item(Item, Parts, Bits) -> collected_bits(Item, Parts, Bits).

collected_bits(Part, bytes, Bits) when is_binary(Part) -> <<Bits/bits, Part/bits>>;
collected_bits(Part, bits, Bits) when is_bitstring(Part) -> <<Bits/bits, Part/bits>>;
collected_bits(_, _, _) -> error(badarg).

iodata_size([Item | Items]) -> item_size(Item) + iodata_size(Items);
iodata_size([]) -> 0;
iodata_size(Binary) when is_binary(Binary) -> byte_size(Binary);
iodata_size(_) -> error(badarg).

item_size(Byte) when is_integer(Byte), Byte >= 0, Byte =< 255 -> 1;
item_size(Data) -> iodata_size(Data).

%% Searching in binaries. Of several patterns the one that is found first counts, and of those the
%% longest; what is found does not overlap.

binary_match(Binary, Pattern) -> first_found(search(Binary, Pattern, whole(Binary), first)).

binary_match(Binary, Pattern, Options) -> first_found(search(Binary, Pattern, scope(Options, Binary), first)).

first_found([]) -> nomatch;
first_found([Found]) -> Found.

binary_matches(Binary, Pattern) -> search(Binary, Pattern, whole(Binary), all).

binary_matches(Binary, Pattern, Options) -> search(Binary, Pattern, scope(Options, Binary), all).

binary_split(Binary, Pattern) -> pieces(0, search(Binary, Pattern, whole(Binary), first), Binary).

binary_split(Binary, Pattern, Options) ->
    {Scope, Many, Trim} = split_options(Options, Binary, {whole(Binary), first, none}),
    trimmed(Trim, pieces(0, search(Binary, Pattern, Scope, Many), Binary)).

pieces(0, [], Binary) -> [Binary];
pieces(From, [{At, Length} | Found], Binary) -> [bytes(Binary, From, At) | pieces(At + Length, Found, Binary)];
pieces(From, [], Binary) -> [beagle_native:bits_slice(Binary, From * 8, bit_size(Binary) - From * 8)].

trimmed(none, Pieces) -> Pieces;
trimmed(all, Pieces) -> [Piece || Piece <- Pieces, bit_size(Piece) > 0];
trimmed(last, Pieces) -> lists:reverse(without_empty(lists:reverse(Pieces))).

without_empty([Piece | Pieces]) when bit_size(Piece) =:= 0 -> without_empty(Pieces);
without_empty(Pieces) -> Pieces.

split_options([global | Options], Binary, {Scope, _, Trim}) -> split_options(Options, Binary, {Scope, all, Trim});
split_options([trim_all | Options], Binary, {Scope, Many, _}) -> split_options(Options, Binary, {Scope, Many, all});
split_options([trim | Options], Binary, {Scope, Many, none}) -> split_options(Options, Binary, {Scope, Many, last});
split_options([trim | Options], Binary, Result) -> split_options(Options, Binary, Result);
split_options([Option | Options], Binary, {_, Many, Trim}) ->
    split_options(Options, Binary, {scope_option(Option, Binary), Many, Trim});
split_options(_, _, Result) ->
    Result.

%% From a byte up to a bit.
whole(Binary) -> {0, bit_size(Binary)}.

%% Of several scopes the last one counts. What follows the last cell of an improper list does not.
scope(Options, Binary) -> scope(Options, Binary, whole(Binary)).

scope([Option | Options], Binary, _) -> scope(Options, Binary, scope_option(Option, Binary));
scope(_, _, Scope) -> Scope.

scope_option({scope, {At, Length}}, Binary) when is_integer(At), is_integer(Length) ->
    {From, To} = range(At, Length, bit_size(Binary)),
    {From, To * 8};
scope_option(_, _) ->
    error(badarg).

%% Before OTP 27 the pattern is not looked at where there is nothing to search in.
-if(?OTP_RELEASE < 27).
search(_, _, {_, 0}, _) -> [];
search(Binary, Pattern, Scope, Many) -> search_within(Binary, Pattern, Scope, Many).
-else.
search(Binary, Pattern, Scope, Many) -> search_within(Binary, Pattern, Scope, Many).
-endif.

search_within(Binary, Pattern, {From, End}, Many) -> search_from(From, Binary, patterns(Pattern), End, Many).

search_from(At, Binary, [Pattern] = Patterns, End, Many) ->
    Size = bit_size(Pattern),
    case At * 8 + Size =< End of
        true ->
            case beagle_native:bits_slice(Binary, At * 8, Size) =:= Pattern of
                true -> found(At, byte_size(Pattern), Binary, Patterns, End, Many);
                false -> search_from(At + 1, Binary, Patterns, End, Many)
            end;
        false ->
            []
    end;
search_from(At, Binary, Patterns, End, Many) ->
    case At * 8 < End of
        true ->
            case longest_at(At * 8, Binary, Patterns, End, 0) of
                0 -> search_from(At + 1, Binary, Patterns, End, Many);
                Size -> found(At, Size div 8, Binary, Patterns, End, Many)
            end;
        false ->
            []
    end.

found(At, Length, _, _, _, first) -> [{At, Length}];
found(At, Length, Binary, Patterns, End, all) ->
    [{At, Length} | search_from(At + Length, Binary, Patterns, End, all)].

longest_at(At, Binary, [Pattern | Patterns], End, Longest) ->
    Size = bit_size(Pattern),
    case Size > Longest andalso At + Size =< End andalso beagle_native:bits_slice(Binary, At, Size) =:= Pattern of
        true -> longest_at(At, Binary, Patterns, End, Size);
        false -> longest_at(At, Binary, Patterns, End, Longest)
    end;
longest_at(_, _, [], _, Longest) ->
    Longest.

patterns(Compiled) when is_tuple(Compiled) -> patterns(beagle_native:compiled_pattern(Compiled));
patterns(Pattern) when is_binary(Pattern), bit_size(Pattern) > 0 -> [Pattern];
patterns([_ | _] = Patterns) -> check_patterns(Patterns), Patterns;
patterns(_) -> error(badarg).

check_patterns([Pattern | Patterns]) when is_binary(Pattern), bit_size(Pattern) > 0 -> check_patterns(Patterns);
check_patterns([]) -> ok;
check_patterns(_) -> error(badarg).
