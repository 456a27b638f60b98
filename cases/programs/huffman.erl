%% Huffman codes of a text.
%%! f("abracadabra") ==> {23,[{"a","0"},{"b","110"},{"c","100"},{"d","101"},{"r","111"}]}
%%! f("aab")         ==> {3,[{"a","1"},{"b","0"}]}
-module(huffman).
-export([f/1]).
f(Text) ->
    Counts = lists:foldl(fun(C, M) -> M#{C => maps:get(C, M, 0) + 1} end, #{}, Text),
    Tree = build(lists:sort([{N, C} || {C, N} <- maps:to_list(Counts)])),
    Codes = maps:from_list(codes(Tree, "")),
    {length(lists:append([maps:get(C, Codes) || C <- Text])), [{[C], Code} || {C, Code} <- lists:sort(maps:to_list(Codes))]}.
build([{_, T}]) -> T;
build([{N, A}, {M, B} | R]) -> build(lists:sort([{N + M, {A, B}} | R])).
codes({A, B}, P) -> codes(A, P ++ "0") ++ codes(B, P ++ "1");
codes(C, P) -> [{C, P}].
