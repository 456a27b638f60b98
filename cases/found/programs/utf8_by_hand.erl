%% A decoder by hand takes two bytes for a character that needs only one.
%%! decode(<<"aé"/utf8>>)           ==> "aé"
%%! decode(<<16#C1, 16#81>>)        ==> error {overlong,65}
%%! decode(<<16#E2, 16#82, 16#AC>>) ==> error {euro,8364}
%%! decode(<<16#FF>>)               ==> invalid
%%? decode/1 with max 300: finds error:{overlong,C} for (_) when C < 128; finds error:{euro,16#20AC}; failures = 2
-module(utf8_by_hand).
-export([decode/1]).

-spec decode(binary()) -> [char()] | invalid.
decode(Bytes) -> decode(Bytes, []).

decode(<<>>, Cs) -> lists:reverse(Cs);
decode(<<0:1, C:7, Rest/binary>>, Cs) -> decode(Rest, [C | Cs]);
decode(<<2#110:3, A:5, 2#10:2, B:6, Rest/binary>>, Cs) ->
    case A bsl 6 bor B of
        C when C < 128 -> error({overlong, C});
        C -> decode(Rest, [C | Cs])
    end;
decode(<<2#1110:4, A:4, 2#10:2, B:6, 2#10:2, C:6, Rest/binary>>, Cs) ->
    case A bsl 12 bor (B bsl 6) bor C of
        16#20AC -> error({euro, 16#20AC});
        D when D >= 16#800, D < 16#D800 -> decode(Rest, [D | Cs]);
        _ -> invalid
    end;
decode(_, _) -> invalid.
