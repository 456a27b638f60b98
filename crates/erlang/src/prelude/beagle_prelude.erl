%% What native functions do, said in Erlang: run instead of them where an argument is symbolic, so that
%% every question they ask of it becomes a decision of the run.
%%
%% Arguments lie in the domain of the function's row: that has been decided before. Results and errors
%% are those of the native function, and are compared with it by tests. A function here has another name
%% than the one it stands for where that one is imported everywhere. What is not worth saying again is
%% left to the native function: as a row of `beagle_native` it has no meaning, and loses the shadows.
%%
%% The files of this folder are one module, and this is where it begins.
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
         read_integer/1, read_float/1]).
-export([list_to_known_atom/1, bytes_to_known_atom/2]).
-export([atom_to_bytes/2, bytes_to_atom/2, is_seven_bit/1, characters_to_codes/2, characters_to_bytes/2]).
-export([output_formatted/1, output_formatted/2, output_formatted/3, printable_list/1]).

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

is_record_of_size(Term, Tag, Size) when is_integer(Size), -(1 bsl 59) =< Size, Size < 1 bsl 59 ->
    is_tuple(Term) andalso tuple_size(Term) =:= Size andalso Size > 0 andalso element(1, Term) =:= Tag;
is_record_of_size(Term, Tag, Size) ->
    beagle_native:is_record(Term, Tag, Size).

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

%% Among constants it is one question.
member(Wanted, List) ->
    case beagle_native:is_plain_list(List) of
        true -> beagle_native:member(Wanted, List);
        false -> member_of(Wanted, List)
    end.

member_of(Wanted, [Item | Items]) ->
    case Item =:= Wanted of
        true -> true;
        false -> member_of(Wanted, Items)
    end;
member_of(_, []) ->
    false;
member_of(_, _) ->
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
