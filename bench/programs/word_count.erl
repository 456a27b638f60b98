%% Stresses maps with binary keys: words cut out of a text and counted with update_with.
-module(word_count).
-export([main/1, size/0]).

size() -> 300000.

main(N) ->
    Text = text(N, 7, []),
    Counts = count(Text, <<>>, #{}),
    Top = lists:sublist(lists:sort(fun({A, X}, {B, Y}) -> {Y, A} =< {X, B} end, maps:to_list(Counts)), 3),
    {map_size(Counts), Top}.

count(<<" ", Rest/binary>>, Word, Counts) ->
    count(Rest, <<>>, maps:update_with(Word, fun(C) -> C + 1 end, 1, Counts));
count(<<C, Rest/binary>>, Word, Counts) -> count(Rest, <<Word/binary, C>>, Counts);
count(<<>>, _, Counts) -> Counts.

text(0, _, Acc) -> iolist_to_binary(Acc);
text(N, Seed, Acc) ->
    Next = (Seed * 1103515245 + 12345) band 16#7fffffff,
    text(N - 1, Next, [Acc, syllable(Next bsr 5), syllable(Next bsr 12), syllable((Next bsr 18) band 3), $\s]).

syllable(K) ->
    element(K rem 12 + 1, {"ba", "ce", "di", "fo", "gu", "lar", "men", "nip", "os", "qua", "rest", ""}).
