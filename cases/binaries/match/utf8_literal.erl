%% A literal character or string with utf8 is compared in its encoding.
%%! f(<<"über"/utf8>>) ==> {umlaut,<<"ber">>}
%%! f(<<"€"/utf8>>)    ==> euro
%%! f(<<"x">>)         ==> other
-module(utf8_literal).
-export([f/1]).
f(<<"ü"/utf8, Rest/binary>>) -> {umlaut, Rest};
f(<<$€/utf8>>) -> euro;
f(_) -> other.
