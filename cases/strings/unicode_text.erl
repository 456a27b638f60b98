%% Text beyond Latin-1: lengths in characters, bytes and clusters.
%%! f("日本語")                         ==> {3,3,9,[26085,26412,35486]}
%%! f("e\x{301}")                    ==> {2,1,3,[[101,769]]}
%%! f([16#1F468, 16#200D, 16#1F469]) ==> {3,1,11,[[128104,8205,128105]]}
-module(unicode_text).
-export([f/1]).
f(S) -> {length(S), string:length(S), byte_size(unicode:characters_to_binary(S)), string:to_graphemes(S)}.
