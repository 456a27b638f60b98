%% What native functions do, said in Erlang: run instead of them where an argument is symbolic, so that
%% every question they ask of it becomes a decision of the run.
%%
%% Arguments lie in the domain of the function's row: that has been decided before. Results and errors
%% are those of the native function, and are compared with it by tests. A function here has another name
%% than the one it stands for where that one is imported everywhere. What is not worth saying again is
%% left to the native function: as a row of `beagle_native` it has no meaning, and loses the shadows.
-module(beagle_prelude).
-file("beagle_prelude.erl", 1).

-export([minimum/2, maximum/2, is_function_of_arity/2, is_record_tagged/2, is_record_of_size/3]).
-export([append/2, subtract/2, reverse/2, member/2, keyfind/3, keymember/3, keysearch/3]).
-export([nth_tail/2]).
-export([size_of_either/1, make_filled_tuple/2, append_to_tuple/2, insert_into_tuple/3, delete_from_tuple/2]).
-export([map_find/2, map_take/2, map_from_keys/2, map_from_list/1, map_merge/2]).
-export([part_of_binary/2, part_of_binary/3, part_to_list/3, binary_copies/2, longest_common_prefix/1,
         longest_common_suffix/1, decode_number/2, encode_number/1, encode_number/2]).
-export([bits_to_list/1, list_to_bytes/1, list_to_bits/1, iodata_to_bytes/1, iodata_size/1]).
-export([binary_match/2, binary_match/3, binary_matches/2, binary_matches/3, binary_split/2, binary_split/3]).
-export([integer_to_digits/2, integer_to_digit_bytes/2, digits_to_integer/2, digit_bytes_to_integer/2,
         read_integer/1]).
-export([atom_to_bytes/2, bytes_to_atom/2, is_seven_bit/1, characters_to_codes/2, characters_to_bytes/2]).
-export([output_formatted/1, output_formatted/2, output_formatted/3]).

%% Terms of any kind.

minimum(A, B) ->
    case A =< B of
        true -> A;
        false -> B
    end.

maximum(A, B) ->
    case A >= B of
        true -> A;
        false -> B
    end.

is_function_of_arity(Fun, Arity) ->
    is_function(Fun) andalso takes(Fun, Arity, 0).

%% Which number is asked for must not depend on a value: it is counted up to.
takes(Fun, Arity, Count) when Count =:= Arity -> beagle_native:is_function(Fun, Count);
takes(_, _, 255) -> false;
takes(Fun, Arity, Count) -> takes(Fun, Arity, Count + 1).

is_record_tagged(Term, Tag) ->
    is_tuple(Term) andalso tuple_size(Term) > 0 andalso element(1, Term) =:= Tag.

is_record_of_size(Term, Tag, Size) when -(1 bsl 59) =< Size, Size < 1 bsl 59 ->
    is_tuple(Term) andalso tuple_size(Term) =:= Size andalso Size > 0 andalso element(1, Term) =:= Tag;
is_record_of_size(_, _, _) ->
    error(badarg).

%% Lists.

append([Item | Items], Tail) -> [Item | append(Items, Tail)];
append([], Tail) -> Tail;
append(_, _) -> error(badarg).

subtract(Left, Right) ->
    _ = length(Left),
    _ = length(Right),
    subtract_each(Left, Right).

subtract_each(Left, [Item | Items]) when Left =/= [] -> subtract_each(without(Item, Left), Items);
subtract_each(Left, _) -> Left.

without(Item, [First | Items]) ->
    case First =:= Item of
        true -> Items;
        false -> [First | without(Item, Items)]
    end;
without(_, []) ->
    [].

reverse([Item | Items], Tail) -> reverse(Items, [Item | Tail]);
reverse([], Tail) -> Tail;
reverse(_, _) -> error(badarg).

member(Wanted, [Item | Items]) ->
    case Item =:= Wanted of
        true -> true;
        false -> member(Wanted, Items)
    end;
member(_, []) ->
    false;
member(_, _) ->
    error(badarg).

keyfind(_, Position, _) when Position >= 1 bsl 59 -> error(badarg);
keyfind(Key, Position, List) -> with_key(Key, Position, List).

keymember(Key, Position, List) -> keyfind(Key, Position, List) =/= false.

keysearch(Key, Position, List) ->
    case keyfind(Key, Position, List) of
        false -> false;
        Tuple -> {value, Tuple}
    end.

with_key(Key, Position, [Item | Items]) ->
    case is_tuple(Item) andalso Position =< tuple_size(Item) andalso element(Position, Item) == Key of
        true -> Item;
        false -> with_key(Key, Position, Items)
    end;
with_key(_, _, []) ->
    false;
with_key(_, _, _) ->
    error(badarg).

%% `lists:nthtail/2`, which is no native: it asks for no cell if it takes none away.
nth_tail(0, List) -> List;
nth_tail(Count, List) -> beagle_native:nth_tail(Count, List).

%% Tuples.

-define(LARGEST_TUPLE, 16777215).

%% More copies of something are not counted one by one.
-define(MOST_COPIES, 255).

size_of_either(Tuple) when is_tuple(Tuple) -> tuple_size(Tuple);
size_of_either(Bits) when is_bitstring(Bits) -> bit_size(Bits) div 8;
size_of_either(_) -> error(badarg).

make_filled_tuple(Size, Element) when Size =< ?MOST_COPIES -> list_to_tuple(copies(0, Size, Element));
make_filled_tuple(Size, Element) -> beagle_native:make_tuple(Size, Element).

copies(Made, Count, Item) when Made < Count -> [Item | copies(Made + 1, Count, Item)];
copies(_, _, _) -> [].

append_to_tuple(Tuple, Element) when tuple_size(Tuple) < ?LARGEST_TUPLE ->
    list_to_tuple(append(tuple_to_list(Tuple), [Element]));
append_to_tuple(_, _) ->
    error(badarg).

insert_into_tuple(Position, Tuple, Element) when Position =< tuple_size(Tuple) + 1 ->
    list_to_tuple(insert(Position, tuple_to_list(Tuple), Element));
insert_into_tuple(_, _, _) ->
    error(badarg).

insert(1, Items, New) -> [New | Items];
insert(Position, [Item | Items], New) -> [Item | insert(Position - 1, Items, New)].

delete_from_tuple(Position, Tuple) when Position =< tuple_size(Tuple) ->
    list_to_tuple(delete(Position, tuple_to_list(Tuple)));
delete_from_tuple(_, _) ->
    error(badarg).

delete(1, [_ | Items]) -> Items;
delete(Position, [Item | Items]) -> [Item | delete(Position - 1, Items)].

%% Maps.

map_find(Key, Map) ->
    case is_map_key(Key, Map) of
        true -> {ok, map_get(Key, Map)};
        false -> error
    end.

map_take(Key, Map) ->
    case is_map_key(Key, Map) of
        true -> {map_get(Key, Map), maps:remove(Key, Map)};
        false -> error
    end.

map_from_keys(Keys, Value) -> put_keys(Keys, Value, #{}).

put_keys([Key | Keys], Value, Map) -> put_keys(Keys, Value, maps:put(Key, Value, Map));
put_keys([], _, Map) -> Map;
put_keys(_, _, _) -> error(badarg).

map_from_list(Pairs) -> put_pairs(Pairs, #{}).

put_pairs([{Key, Value} | Pairs], Map) -> put_pairs(Pairs, maps:put(Key, Value, Map));
put_pairs([], Map) -> Map;
put_pairs(_, _) -> error(badarg).

map_merge(Map, Over) -> put_pairs(beagle_native:map_pairs(Over), Map).

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

%% Where there is nothing to search in, the pattern is not looked at.
search(_, _, {_, 0}, _) -> [];
search(Binary, Pattern, {From, End}, Many) -> search_from(From, Binary, patterns(Pattern), End, Many).

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

%% Integers as text.

integer_to_digits(Number, 10) -> integer_to_list(Number);
integer_to_digits(Number, Base) when is_integer(Base), Base >= 2, Base =< 36 ->
    case Number < 0 of
        true -> [$- | digits(-Number, Base, [])];
        false -> digits(Number, Base, [])
    end;
integer_to_digits(_, _) -> error(badarg).

digits(Number, Base, Digits) when Number < Base -> [character(Number) | Digits];
digits(Number, Base, Digits) -> digits(Number div Base, Base, [character(Number rem Base) | Digits]).

character(Digit) when Digit < 10 -> $0 + Digit;
character(Digit) -> $A - 10 + Digit.

integer_to_digit_bytes(Number, 10) -> integer_to_binary(Number);
integer_to_digit_bytes(Number, Base) -> list_to_bytes(integer_to_digits(Number, Base)).

digits_to_integer(Text, 10) ->
    list_to_integer(Text);
digits_to_integer(Text, Base) when is_integer(Base), Base >= 2, Base =< 36 ->
    case read_signed(Text, Base) of
        {Number, []} -> Number;
        _ -> error(badarg)
    end;
digits_to_integer(_, _) ->
    error(badarg).

digit_bytes_to_integer(Text, 10) -> binary_to_integer(Text);
digit_bytes_to_integer(Text, Base) -> digits_to_integer(binary_to_list(Text), Base).

read_integer(Text) when is_list(Text) ->
    case read_signed(Text, 10) of
        none -> {error, no_integer};
        Read -> Read
    end;
read_integer(_) ->
    {error, not_a_list}.

read_signed([$- | Text], Base) ->
    case read_first(Text, Base) of
        {Number, Rest} -> {-Number, Rest};
        none -> none
    end;
read_signed([$+ | Text], Base) ->
    read_first(Text, Base);
read_signed(Text, Base) ->
    read_first(Text, Base).

read_first([Character | Text], Base) ->
    case digit(Character, Base) of
        none -> none;
        Digit -> read_digits(Text, Base, Digit)
    end;
read_first(_, _) ->
    none.

read_digits([Character | Rest] = Text, Base, Number) ->
    case digit(Character, Base) of
        none -> {Number, Text};
        Digit -> read_digits(Rest, Base, Number * Base + Digit)
    end;
read_digits(Rest, _, Number) ->
    {Number, Rest}.

%% Characters are known by their low eight bits, as on the BEAM.
digit(Character, Base) when is_integer(Character), Character >= 0, Character =< 255 ->
    digit_of_byte(Character, Base);
digit(Character, Base) when is_integer(Character), -(1 bsl 59) =< Character, Character < 1 bsl 59 ->
    digit_of_byte(Character band 255, Base);
digit(_, _) ->
    none.

digit_of_byte(Byte, Base) when $0 =< Byte, Byte =< $9, Byte - $0 < Base -> Byte - $0;
digit_of_byte(Byte, Base) when $A =< Byte, Byte =< $Z, Byte - $A + 10 < Base -> Byte - $A + 10;
digit_of_byte(Byte, Base) when $a =< Byte, Byte =< $z, Byte - $a + 10 < Base -> Byte - $a + 10;
digit_of_byte(_, _) -> none.

%% Atoms and characters.

atom_to_bytes(Atom, Encoding) when Encoding =:= utf8; Encoding =:= unicode -> beagle_native:atom_to_utf8(Atom);
atom_to_bytes(Atom, latin1) -> list_to_bytes(atom_to_list(Atom));
atom_to_bytes(_, _) -> error(badarg).

bytes_to_atom(Binary, Encoding) when Encoding =:= utf8; Encoding =:= unicode -> beagle_native:utf8_to_atom(Binary);
bytes_to_atom(Binary, latin1) -> list_to_atom(binary_to_list(Binary));
bytes_to_atom(_, _) -> error(badarg).

is_seven_bit(Binary) when is_binary(Binary) -> seven_bit(Binary);
is_seven_bit(_) -> false.

seven_bit(<<Byte, Bytes/binary>>) when Byte < 128 -> seven_bit(Bytes);
seven_bit(<<>>) -> true;
seven_bit(_) -> false.

%% Text with a mistake, with a character in several pieces or in a wide encoding is the native's.
characters_to_codes(Data, Encoding) ->
    case codes(Data, encoding(Encoding), []) of
        other -> beagle_native:characters_to_list(Data, Encoding);
        Codes -> lists:reverse(Codes)
    end.

characters_to_bytes(Data, Encoding) ->
    Known = encoding(Encoding),
    case codes(Data, Known, []) of
        other -> beagle_native:characters_to_binary(Data, Encoding);
        _ when Known =:= utf8, is_binary(Data) -> Data;
        Codes -> encoded(lists:reverse(Codes), <<>>)
    end.

encoding(latin1) -> latin1;
encoding(utf8) -> utf8;
encoding(unicode) -> utf8;
encoding(_) -> other.

%% In reverse.
codes(_, other, _) -> other;
codes([Item | Items], Encoding, Codes) ->
    case codes_of_item(Item, Encoding, Codes) of
        other -> other;
        More -> codes(Items, Encoding, More)
    end;
codes([], _, Codes) -> Codes;
codes(Binary, Encoding, Codes) when is_binary(Binary) -> codes_of_bytes(Binary, Encoding, Codes);
codes(_, _, _) -> other.

codes_of_item(Code, Encoding, Codes) when is_integer(Code) ->
    case is_code(Code, Encoding) of
        true -> [Code | Codes];
        false -> other
    end;
codes_of_item(Data, Encoding, Codes) ->
    codes(Data, Encoding, Codes).

is_code(Code, latin1) -> Code >= 0 andalso Code =< 16#FF;
is_code(Code, utf8) -> Code >= 0 andalso Code < 16#D800 orelse Code > 16#DFFF andalso Code =< 16#10FFFF.

codes_of_bytes(<<>>, _, Codes) ->
    Codes;
codes_of_bytes(<<Byte, Bytes/binary>>, Encoding, Codes) when Byte < 16#80; Encoding =:= latin1 ->
    codes_of_bytes(Bytes, Encoding, [Byte | Codes]);
codes_of_bytes(<<A, B, Bytes/binary>>, utf8, Codes)
  when 16#C2 =< A, A < 16#E0, 16#80 =< B, B < 16#C0 ->
    codes_of_bytes(Bytes, utf8, [(A - 16#C0) * 64 + (B - 16#80) | Codes]);
codes_of_bytes(<<A, B, C, Bytes/binary>>, utf8, Codes)
  when 16#E0 =< A, A < 16#F0, 16#80 =< B, B < 16#C0, 16#80 =< C, C < 16#C0 ->
    codes_of_bytes(Bytes, 16#800, (A - 16#E0) * 4096 + (B - 16#80) * 64 + (C - 16#80), Codes);
codes_of_bytes(<<A, B, C, D, Bytes/binary>>, utf8, Codes)
  when 16#F0 =< A, A < 16#F5, 16#80 =< B, B < 16#C0, 16#80 =< C, C < 16#C0, 16#80 =< D, D < 16#C0 ->
    Code = (A - 16#F0) * 262144 + (B - 16#80) * 4096 + (C - 16#80) * 64 + (D - 16#80),
    codes_of_bytes(Bytes, 16#10000, Code, Codes);
codes_of_bytes(_, _, _) ->
    other.

%% A character that could have been written with fewer bytes is none.
codes_of_bytes(Bytes, Least, Code, Codes) ->
    case Code >= Least andalso is_code(Code, utf8) of
        true -> codes_of_bytes(Bytes, utf8, [Code | Codes]);
        false -> other
    end.

encoded([Code | Codes], Bytes) when Code < 16#80 ->
    encoded(Codes, <<Bytes/binary, Code>>);
encoded([Code | Codes], Bytes) when Code < 16#800 ->
    encoded(Codes, <<Bytes/binary, (16#C0 + Code div 64), (16#80 + Code rem 64)>>);
encoded([Code | Codes], Bytes) when Code < 16#10000 ->
    More = <<(16#E0 + Code div 4096), (16#80 + Code div 64 rem 64), (16#80 + Code rem 64)>>,
    encoded(Codes, <<Bytes/binary, More/binary>>);
encoded([Code | Codes], Bytes) ->
    More = <<(16#F0 + Code div 262144), (16#80 + Code div 4096 rem 64), (16#80 + Code div 64 rem 64),
             (16#80 + Code rem 64)>>,
    encoded(Codes, <<Bytes/binary, More/binary>>);
encoded([], Bytes) ->
    Bytes.

%% Output goes nowhere, and any term can be printed: what is printed as a term need not be looked at.

output_formatted(Format) -> beagle_native:format(Format, []).

output_formatted(Format, Args) -> beagle_native:format(Format, looked_at(Format, Args)).

output_formatted(Device, Format, Args) -> beagle_native:format(Device, Format, looked_at(Format, Args)).

looked_at([$~ | Format], Args) -> looked_at_by(Format, 0, Args);
looked_at([_ | Format], Args) -> looked_at(Format, Args);
looked_at(Format, Args) when is_binary(Format) -> looked_at(unicode:characters_to_list(Format), Args);
looked_at(Format, Args) when is_atom(Format) -> looked_at(atom_to_list(Format), Args);
looked_at(_, Args) -> Args.

%% Behind the tilde: width, precision, padding (behind the second point) and modifiers, then the letter
%% that says what is printed. A star stands for an argument.
looked_at_by([$., $* | Format], 1, [Arg | Args]) -> [Arg | looked_at_by(Format, 2, Args)];
looked_at_by([$., _ | Format], 1, Args) -> looked_at_by(Format, 2, Args);
looked_at_by([$. | Format], 0, Args) -> looked_at_by(Format, 1, Args);
looked_at_by([$* | Format], Points, [Arg | Args]) -> [Arg | looked_at_by(Format, Points, Args)];
looked_at_by([Control | Format], _, [_ | Args]) when Control =:= $p; Control =:= $w; Control =:= $i ->
    [term | looked_at(Format, Args)];
looked_at_by([Control | Format], _, [_, Depth | Args]) when Control =:= $P; Control =:= $W ->
    [term, Depth | looked_at(Format, Args)];
looked_at_by([Control | Format], _, [Arg, Prefix | Args]) when Control =:= $x; Control =:= $X ->
    [Arg, Prefix | looked_at(Format, Args)];
looked_at_by([Control | Format], _, Args) when Control =:= $~; Control =:= $n ->
    looked_at(Format, Args);
looked_at_by([Other | Format], Points, Args)
  when Other =:= $-; Other =:= $t; Other =:= $l; Other =:= $k; Other >= $0, Other =< $9 ->
    looked_at_by(Format, Points, Args);
looked_at_by([_ | Format], _, [Arg | Args]) ->
    [Arg | looked_at(Format, Args)];
looked_at_by(_, _, Args) ->
    Args.
