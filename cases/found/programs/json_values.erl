%% A reader of JSON that trusts what follows an item, a key and the sign of an escape.
%%! json(<<"[1, {\"a\": true}]">>) ==> {ok,[1,#{<<"a">> => true}]}
%%! json(<<"[[]">>)    ==> error {case_clause,<<>>}
%%! json(<<"{\"\"">>)  ==> error {badmatch,<<>>}
%%? json/1 with max 800: finds error:{case_clause,_} for (<<"[", _/binary>>); finds error:{badmatch,_}; finds error:badarg for (B) when byte_size(B) >= 7
-module(json_values).
-export([json/1]).

-spec json(binary()) -> {ok, term()} | {error, term()}.
json(B) ->
    try value(skip(B)) of
        {V, Rest} ->
            case skip(Rest) of
                <<>> -> {ok, V};
                _ -> {error, trailing}
            end
    catch throw:E -> {error, E}
    end.
skip(<<C, R/binary>>) when C =:= $\s; C =:= $\n; C =:= $\t -> skip(R);
skip(B) -> B.
value(<<"true", R/binary>>) -> {true, R};
value(<<"false", R/binary>>) -> {false, R};
value(<<"null", R/binary>>) -> {null, R};
value(<<$", R/binary>>) -> str(R, <<>>);
value(<<$[, R/binary>>) -> array(skip(R), []);
value(<<${, R/binary>>) -> object(skip(R), #{});
value(<<C, _/binary>> = B) when C >= $0, C =< $9; C =:= $- -> number(B);
value(_) -> throw(bad_value).
str(<<$", R/binary>>, Acc) -> {Acc, R};
str(<<$\\, $n, R/binary>>, Acc) -> str(R, <<Acc/binary, $\n>>);
str(<<$\\, $u, A, B, C, D, R/binary>>, Acc) ->
    N = binary_to_integer(<<A, B, C, D>>, 16),
    str(R, <<Acc/binary, N/utf8>>);
str(<<C, R/binary>>, Acc) -> str(R, <<Acc/binary, C>>);
str(<<>>, _) -> throw(eof).
number(B) -> number(B, <<>>).
number(<<C, R/binary>>, Acc) when C >= $0, C =< $9; C =:= $- -> number(R, <<Acc/binary, C>>);
number(R, Acc) ->
    try {binary_to_integer(Acc), R} catch error:badarg -> throw(bad_number) end.
array(<<$], R/binary>>, Acc) -> {lists:reverse(Acc), R};
array(B, Acc) ->
    {V, R} = value(B),
    case skip(R) of
        <<$,, R2/binary>> -> array(skip(R2), [V | Acc]);
        <<$], R2/binary>> -> {lists:reverse([V | Acc]), R2}
    end.
object(<<$}, R/binary>>, Acc) -> {Acc, R};
object(<<$", B/binary>>, Acc) ->
    {K, R} = str(B, <<>>),
    <<$:, R2/binary>> = skip(R),
    {V, R3} = value(skip(R2)),
    case skip(R3) of
        <<$,, R4/binary>> -> object(skip(R4), Acc#{K => V});
        <<$}, R4/binary>> -> {Acc#{K => V}, R4};
        _ -> throw(bad_object)
    end;
object(_, _) -> throw(bad_object).
