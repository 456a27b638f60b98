%% A JSON reader over binaries, small but complete for its subset.
%%! f(<<"{\"a\": [1, -2.5, true, null], \"b\": {\"c\": \"x\\ny\"}}">>) ==> {#{<<"a">> => [1,-2.5,true,null],<<"b">> => #{<<"c">> => <<"x\ny">>}},<<>>}
%%! f(<<"[1, 2">>)          ==> {bad,{value,<<>>}}
%%! f(<<"  \"\\u20ac\" ">>) ==> {<<226,130,172>>,<<>>}
-module(json_reader).
-export([f/1]).
f(B) -> try {V, R} = value(ws(B)), {V, ws(R)} catch throw:T -> {bad, T} end.
value(<<"true", R/binary>>) -> {true, R};
value(<<"false", R/binary>>) -> {false, R};
value(<<"null", R/binary>>) -> {null, R};
value(<<$", R/binary>>) -> string(R, <<>>);
value(<<$[, R/binary>>) -> array(ws(R), []);
value(<<${, R/binary>>) -> object(ws(R), #{});
value(<<C, _/binary>> = B) when C =:= $-; C >= $0, C =< $9 -> number(B, []);
value(B) -> throw({value, B}).
number(<<C, R/binary>>, Acc) when C >= $0, C =< $9; C =:= $-; C =:= $.; C =:= $e -> number(R, [C | Acc]);
number(R, Acc) -> S = lists:reverse(Acc), {try list_to_integer(S) catch error:badarg -> list_to_float(S) end, R}.
string(<<$", R/binary>>, Acc) -> {Acc, R};
string(<<"\\n", R/binary>>, Acc) -> string(R, <<Acc/binary, $\n>>);
string(<<"\\u", H:4/binary, R/binary>>, Acc) -> string(R, <<Acc/binary, (binary_to_integer(H, 16))/utf8>>);
string(<<C/utf8, R/binary>>, Acc) -> string(R, <<Acc/binary, C/utf8>>);
string(<<>>, _) -> throw(open_string).
array(<<$], R/binary>>, Acc) -> {lists:reverse(Acc), R};
array(<<$,, R/binary>>, Acc) -> array(ws(R), Acc);
array(B, Acc) -> {V, R} = value(B), array(ws(R), [V | Acc]).
object(<<$}, R/binary>>, M) -> {M, R};
object(<<$,, R/binary>>, M) -> object(ws(R), M);
object(<<$", R/binary>>, M) -> {K, R2} = string(R, <<>>), <<$:, R3/binary>> = ws(R2), {V, R4} = value(ws(R3)),
    object(ws(R4), M#{K => V}).
ws(<<C, R/binary>>) when C =:= $ ; C =:= $\n -> ws(R);
ws(B) -> B.
