%% A lexer that knows its keywords by their hashes. It fills its table itself, so the hashes of the keywords are seen.
%%! token("while")    ==> error while
%%! token("other")    ==> {name,"other"}
%%! word(<<"then">>)  ==> error then
%%! own("else")       ==> error else
%%? token/1: finds error:'if' for ("if"); finds error:'then' for ("then"); finds error:'else' for ("else"); finds error:'while' for ("while"); finds error:'begin' for ("begin"); finds error:'end' for ("end"); failures = 6
%%? word/1: finds error:'if' for (<<"if">>); finds error:'then' for (<<"then">>); finds error:'else' for (<<"else">>); failures = 3
%%? own/1: finds error:'if' for ("if"); finds error:'then' for ("then"); finds error:'else' for ("else"); failures = 3
%%? precomputed/1 with max 100: clean
%%? precomputed/1 with seed ("if"), seed ("then"), max 100: finds error:'if' for ("if"); finds error:'then' for ("then"); failures = 2
-module(hashing_lexer).
-beagle({opaque, [hash/1]}).
-export([token/1, word/1, own/1, precomputed/1, hash/1]).

-spec token(string()) -> {name, string()}.
token(Text) ->
    Words = ["if", "then", "else", "while", "begin", "end"],
    Table = maps:from_list([{erlang:phash2(Word), list_to_atom(Word)} || Word <- Words]),
    case maps:find(erlang:phash2(Text), Table) of
        {ok, Keyword} -> error(Keyword);
        error -> {name, Text}
    end.

-spec word(binary()) -> {name, binary()}.
word(Text) ->
    Table = [{erlang:crc32(Word), binary_to_atom(Word)} || Word <- [<<"if">>, <<"then">>, <<"else">>]],
    case lists:keyfind(erlang:crc32(Text), 1, Table) of
        {_, Keyword} -> error(Keyword);
        false -> {name, Text}
    end.

%% With a hash of its own, into which nobody looks.
-spec own(string()) -> {name, string()}.
own(Text) ->
    Table = [{hash(Word), list_to_atom(Word)} || Word <- ["if", "then", "else"]],
    case lists:keyfind(hash(Text), 1, Table) of
        {_, Keyword} -> error(Keyword);
        false -> {name, Text}
    end.

hash(Text) -> lists:foldl(fun(Char, Sum) -> ((Sum bsl 5) bxor (Sum bsr 27) bxor Char) band 16#ffffffff end, 5381, Text).

%% Nobody can tell which texts have these hashes, but who is given the texts.
-spec precomputed(string()) -> {name, string()}.
precomputed(Text) ->
    case erlang:phash2(Text) of
        125875023 -> error('if');
        116495549 -> error('then');
        _ -> {name, Text}
    end.
