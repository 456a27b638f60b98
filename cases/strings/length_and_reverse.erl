%% string works on grapheme clusters.
%%! f("héllo")          ==> {5,"olléh","héllo",false}
%%! f(<<"héllo"/utf8>>) ==> {5,"olléh","héllo",false}
%%! f([$e, 16#301, $x]) ==> {2,[120,[101,769]],[[101,769],120],false}
%%! f("")               ==> {0,[],[],true}
%%! f(["ab", <<"c">>])  ==> {3,"cba","abc",false}
-module(length_and_reverse).
-export([f/1]).
f(S) -> {string:length(S), string:reverse(S), string:to_graphemes(S), string:is_empty(S)}.
