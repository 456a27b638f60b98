%% Characters in binaries are as long as they need, and some numbers are none.
%%! first(<<"€uro"/utf8>>) ==> error euro
%%! first(<<255>>)         ==> none
%%! encode(8364)           ==> error three
%%! encode(16#D800)        ==> error badarg
%%? first/1: finds error:euro for (<<"€"/utf8, _/binary>>); failures = 1
%%? encode/1: finds error:badarg for (C) when C < 0; finds error:three for (C) when C >= 16#800, C =< 16#FFFF; failures = 2
-module(utf8_segments).
-export([first/1, encode/1]).

-spec first(binary()) -> char() | none.
first(<<C/utf8, _/binary>>) when C =:= 16#20AC -> error(euro);
first(<<C/utf8, _/binary>>) -> C;
first(_) -> none.

-spec encode(-5..16#CFFF) -> 1..4.
encode(C) ->
    case byte_size(<<C/utf8>>) of
        3 -> error(three);
        Size -> Size
    end.
