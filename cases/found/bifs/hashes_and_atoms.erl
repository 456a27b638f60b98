%% Tables of hashes find the keys that they may find; atoms that exist are found by their texts.
%%! stored(17, 5) ==> error five
%%! named("hello") ==> error hello
%%? stored/2: finds error:five for (17, 5); failures = 1; incomplete
%%? listed/1 with max 200: finds error:five for (L) when length(L) > 0; failures = 1
%%? members/1 with max 200: finds error:two for ([_, _ | _]); failures = 1
%%? same_hash/2: finds error:same for (X, X); failures = 1; exhausts
%%? named/1: finds error:hello for ("hello"); failures = 1; incomplete
%%? read/1: finds error:hello for (<<"hello">>); failures = 1; incomplete
%%? marked/1 with bound 2, max 300: finds error:marked for (<<"a;">>); failures = 1
-module(hashes_and_atoms).
-export([stored/2, listed/1, members/1, same_hash/2, named/1, read/1, marked/1]).

-spec stored(integer(), integer()) -> ok.
stored(Key, Value) ->
    case dict:find(17, dict:store(Key, Value, dict:new())) of
        {ok, 5} -> error(five);
        _ -> ok
    end.

-spec listed([{atom(), integer()}]) -> ok.
listed(Pairs) ->
    case dict:find(foo, dict:from_list(Pairs)) of
        {ok, 5} -> error(five);
        _ -> ok
    end.

-spec members([integer()]) -> ok.
members(L) ->
    Set = sets:from_list(L),
    case sets:is_element(33, Set) andalso sets:size(Set) =:= 2 of
        true -> error(two);
        false -> ok
    end.

-spec same_hash(integer(), integer()) -> ok.
same_hash(X, Y) ->
    case erlang:phash2(X) =:= erlang:phash2(Y) of
        true -> error(same);
        false -> ok
    end.

-spec named(string()) -> atom().
named(Text) ->
    try list_to_existing_atom(Text) of
        hello -> error(hello);
        Atom -> Atom
    catch
        error:badarg -> none
    end.

-spec read(binary()) -> atom().
read(Text) ->
    try binary_to_existing_atom(Text, utf8) of
        hello -> error(hello);
        Atom -> Atom
    catch
        error:badarg -> none
    end.

%% What is put together is taken apart again.
-spec marked(binary()) -> ok.
marked(B) ->
    case <<B/binary, "!">> of
        <<A, $;, Rest/binary>> when A =:= $a, byte_size(Rest) =:= 1 -> error(marked);
        _ -> ok
    end.
