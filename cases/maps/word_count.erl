%% Counting words with update_with.
%%! f("the cat and the dog and the bird") ==> #{"and" => 2,"bird" => 1,"cat" => 1,"dog" => 1,"the" => 3}
-module(word_count).
-export([f/1]).
f(Text) ->
    Words = string:lexemes(Text, " "),
    lists:foldl(fun(W, M) -> maps:update_with(W, fun(N) -> N + 1 end, 1, M) end, #{}, Words).
