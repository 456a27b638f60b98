%% Names and values of a query, with characters written as two hexadecimal digits.
%%! pairs(<<"a=%41&b=+">>) ==> [{<<"a">>,<<"A">>},{<<"b">>,<<" ">>}]
%%! pairs(<<"%0g">>)       ==> error function_clause
%%! pairs(<<"id%31">>)     ==> error {reserved,<<"id1">>}
%%? pairs/1 with max 100: finds error:{reserved,<<"id", _>>}; finds error:function_clause for (<<$%, _, _>>); failures = 2
-module(query_string).
-export([pairs/1]).

-spec pairs(binary()) -> [{binary(), binary()}].
pairs(B) -> [pair(P) || P <- binary:split(B, <<"&">>, [global]), P =/= <<>>].
pair(P) ->
    case binary:split(P, <<"=">>) of
        [K, V] -> {decode(K, <<>>), decode(V, <<>>)};
        [K] -> {decode(K, <<>>), <<>>}
    end.
decode(<<$%, A, B, R/binary>>, Acc) -> decode(R, <<Acc/binary, (hexd(A) * 16 + hexd(B))>>);
decode(<<$+, R/binary>>, Acc) -> decode(R, <<Acc/binary, $\s>>);
decode(<<C, R/binary>>, Acc) -> decode(R, <<Acc/binary, C>>);
decode(<<>>, Acc) -> check(Acc).
check(<<"id", _/binary>> = Acc) when byte_size(Acc) =:= 3 -> error({reserved, Acc});
check(Acc) -> Acc.
hexd(C) when C >= $0, C =< $9 -> C - $0;
hexd(C) when C >= $a, C =< $f -> C - $a + 10;
hexd(C) when C >= $A, C =< $F -> C - $A + 10.
