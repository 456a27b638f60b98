%% unicode:characters_to_binary between encodings.
%%! f("aé€")                 ==> <<97,195,169,226,130,172>>
%%! g("a€", utf8)            ==> <<97,226,130,172>>
%%! g("a€", {utf16, little}) ==> <<97,0,172,32>>
%%! g("a€", utf32)           ==> <<0,0,0,97,0,0,32,172>>
%%! g("a€", latin1)          ==> {error,<<"a">>,[[8364]]}
%%! f([<<"ab">>, 16#110000]) ==> {error,<<"ab">>,[1114112]}
%%! h(<<"a", 16#e2, 16#82>>) ==> {incomplete,<<0,97>>,<<226,130>>}
-module(to_binary).
-export([f/1, g/2, h/1]).
f(D) -> unicode:characters_to_binary(D).
g(D, Out) -> unicode:characters_to_binary(D, utf8, Out).
h(D) -> unicode:characters_to_binary(D, utf8, utf16).
