%% The port of a location is a number that fits sixteen bits, or the match of its field fails.
%%! parse(<<"http://a:80/x">>)  ==> {<<"a">>,80,<<"/x">>}
%%! parse(<<"http://a">>)       ==> {<<"a">>,80,<<"/">>}
%%! parse(<<"http://a:99999">>) ==> error {port,99999}
%%! parse(<<"ftp://a">>)        ==> none
%%? parse/1 with max 800: finds error:{port,P} for (<<"http://", _/binary>>) when P > 65535; failures = 1
-module(uri).
-export([parse/1]).

-spec parse(binary()) -> {binary(), 0..65535, binary()} | none.
parse(<<"http://", Rest/binary>>) -> host(Rest, <<>>);
parse(_) -> none.

host(<<$:, Rest/binary>>, Host) when Host =/= <<>> -> port(Rest, Host, 0);
host(<<$/, _/binary>> = Path, Host) -> {Host, 80, Path};
host(<<C, Rest/binary>>, Host) when C >= $a, C =< $z; C =:= $. -> host(Rest, <<Host/binary, C>>);
host(<<>>, Host) -> {Host, 80, <<"/">>};
host(_, _) -> none.

port(<<D, Rest/binary>>, Host, Port) when D >= $0, D =< $9 -> port(Rest, Host, 10 * Port + D - $0);
port(_, _, Port) when Port > 65535 -> error({port, Port});
port(<<$/, _/binary>> = Path, Host, Port) -> {Host, Port, Path};
port(<<>>, Host, Port) -> {Host, Port, <<"/">>};
port(_, _, _) -> none.
