%% What is left behind a pattern, in bytes and in bits, is a value like any other.
%%! records(<<1, 5, 2, 6, 7>>) ==> [{1,5}]
%%! records(<<3>>)             ==> error {left_over,<<3>>}
%%! varint(<<16#AC, 2>>)       ==> error {three_hundred,<<>>}
%%? records/1 with max 200: finds error:{left_over,Left} for (_) when byte_size(Left) =:= 1; failures = 1
%%? varint/1 with max 100: finds error:{three_hundred,_} for (<<16#AC, _/binary>>); failures = 1
-module(tails).
-export([records/1, varint/1]).

-spec records(binary()) -> [{byte(), byte()}].
records(<<>>) -> [];
records(<<1, Value, Rest/binary>>) -> [{1, Value} | records(Rest)];
records(<<2, Size, _:Size/binary, Rest/binary>>) -> [{2, Size} | records(Rest)];
records(<<Left:1/binary>>) -> error({left_over, Left});
records(_) -> [].

%% Seven bits a byte, the lowest first; the highest bit says that there is more.
-spec varint(binary()) -> non_neg_integer() | cut.
varint(Bytes) -> varint(Bytes, 0, 0).

varint(<<1:1, Low:7, Rest/bits>>, Shift, N) when Shift < 21 -> varint(Rest, Shift + 7, N + (Low bsl Shift));
varint(<<0:1, High:7, Rest/bits>>, Shift, N) ->
    case N + (High bsl Shift) of
        300 -> error({three_hundred, Rest});
        Value -> Value
    end;
varint(_, _, _) -> cut.
