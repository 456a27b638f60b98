%% utf8 segments decode one character each.
%%! f(<<"aé€😀"/utf8>>)                ==> {ok,[97,233,8364,128512,end_of_text]}
%%! f(<<"a", 255>>)                   ==> {bad,"a",<<"ÿ">>}
%%! f(<<16#c3>>)                      ==> {bad,[],<<"Ã">>}
%%! f(<<16#c0, 16#80>>)               ==> {bad,[],<<192,128>>}
%%! f(<<16#ed, 16#a0, 16#80>>)        ==> {bad,[],<<237,160,128>>}
%%! f(<<16#f4, 16#90, 16#80, 16#80>>) ==> {bad,[],<<244,144,128,128>>}
-module(utf8).
-export([f/1]).
f(B) -> f(B, []).
f(<<C/utf8, Rest/binary>>, Acc) -> f(Rest, [C | Acc]);
f(<<>>, Acc) -> {ok, lists:reverse(Acc) ++ [end_of_text]};
f(Rest, Acc) -> {bad, lists:reverse(Acc), Rest}.
