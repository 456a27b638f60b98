%% trim, strip of characters, pad in all directions.
%%! f("  text \n") ==> {"text","text \n","  text","  text "}
%%! g("xxtextxx")  ==> {"text",{"xx","textxx"},{[],"xxtextxx"},{"xxtext","xx"}}
%%! h("ab")        ==> ["...ab","ab...",".ab.."]
%%! h("abcdef")    ==> ["abcdef","abcdef","abcdef"]
-module(trimming_and_padding).
-export([f/1, g/1, h/1]).
f(S) -> {string:trim(S), string:trim(S, leading), string:trim(S, trailing), string:chomp(S)}.
g(S) -> {string:trim(S, both, "x"), string:take(S, "x"), string:take(S, "x", true), string:take(S, "x", false, trailing)}.
h(S) -> [lists:flatten(string:pad(S, 5, D, $.)) || D <- [leading, trailing, both]].
