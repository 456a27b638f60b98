%% Stresses byte-by-byte binary matching: a JSON tokenizer and parser over a generated document.
-module(json_tokens).
-export([main/1, size/0]).

size() -> 14000.

main(N) ->
    Document = document(N),
    {Value, <<>>} = value(Document),
    {byte_size(Document), weigh(Value) rem 1000007}.

document(N) -> iolist_to_binary([$[, lists:join($,, [item(I) || I <- lists:seq(1, N)]), $]]).

item(I) ->
    ["{\"id\": ", integer_to_list(I), ", \"name\": \"item ", integer_to_list(I * 7),
        "\", \"tags\": [\"a\", \"b\\n\", true, null], ",
     "\"price\": ", integer_to_list(I rem 100), ".", integer_to_list(I rem 10), ", \"nested\": {\"deep\": [-1, [2], {}]}}"].

value(<<C, Rest/binary>>) when C =:= $\s; C =:= $\n -> value(Rest);
value(<<$", Rest/binary>>) -> string(Rest, <<>>);
value(<<$[, Rest/binary>>) -> array(skip(Rest), []);
value(<<${, Rest/binary>>) -> object(skip(Rest), []);
value(<<"true", Rest/binary>>) -> {true, Rest};
value(<<"false", Rest/binary>>) -> {false, Rest};
value(<<"null", Rest/binary>>) -> {null, Rest};
value(<<$-, Rest/binary>>) -> {N, Rest2} = number(Rest, 0), {-N, Rest2};
value(<<C, _/binary>> = Rest) when C >= $0, C =< $9 -> number(Rest, 0).

number(<<C, Rest/binary>>, N) when C >= $0, C =< $9 -> number(Rest, N * 10 + C - $0);
number(<<$., Rest/binary>>, N) -> fraction(Rest, N, 0.1);
number(Rest, N) -> {N, Rest}.

fraction(<<C, Rest/binary>>, N, Scale) when C >= $0, C =< $9 -> fraction(Rest, N + (C - $0) * Scale, Scale / 10);
fraction(Rest, N, _) -> {N, Rest}.

string(<<$", Rest/binary>>, Acc) -> {Acc, Rest};
string(<<$\\, $n, Rest/binary>>, Acc) -> string(Rest, <<Acc/binary, $\n>>);
string(<<$\\, C, Rest/binary>>, Acc) -> string(Rest, <<Acc/binary, C>>);
string(<<C, Rest/binary>>, Acc) -> string(Rest, <<Acc/binary, C>>).

array(<<$], Rest/binary>>, Acc) -> {lists:reverse(Acc), Rest};
array(<<$,, Rest/binary>>, Acc) -> array(skip(Rest), Acc);
array(Rest, Acc) -> {V, Rest2} = value(Rest), array(skip(Rest2), [V | Acc]).

object(<<$}, Rest/binary>>, Acc) -> {maps:from_list(Acc), Rest};
object(<<$,, Rest/binary>>, Acc) -> object(skip(Rest), Acc);
object(<<$", Rest/binary>>, Acc) ->
    {Key, Rest2} = string(Rest, <<>>),
    <<$:, Rest3/binary>> = skip(Rest2),
    {V, Rest4} = value(Rest3),
    object(skip(Rest4), [{Key, V} | Acc]).

skip(<<C, Rest/binary>>) when C =:= $\s; C =:= $\n -> skip(Rest);
skip(Rest) -> Rest.

weigh(L) when is_list(L) -> lists:sum([weigh(V) || V <- L]);
weigh(M) when is_map(M) -> lists:sum([byte_size(K) + weigh(V) || {K, V} <- maps:to_list(M)]);
weigh(B) when is_binary(B) -> byte_size(B);
weigh(N) when is_number(N) -> trunc(N);
weigh(A) when is_atom(A) -> 1.
