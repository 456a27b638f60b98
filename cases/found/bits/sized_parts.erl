%% A size read from the same binary says how much of it the next segment takes.
%%! split(<<2, "abc">>)      ==> error {ab,<<"c">>}
%%! split(<<9, "abc">>)      ==> short
%%! bits(<<5:4, 21:5, 0:7>>) ==> error five
%%? split/1: finds error:{ab,_} for (<<2, "ab", _/binary>>); failures = 1
%%? bits/1: finds error:five for (<<5:4, 21:5, _/bits>>); failures = 1
-module(sized_parts).
-export([split/1, bits/1]).

-spec split(binary()) -> {binary(), binary()} | short.
split(<<Length, Part:Length/binary, Rest/binary>>) ->
    case Part of
        <<"ab">> -> error({ab, Rest});
        _ -> {Part, Rest}
    end;
split(_) -> short.

-spec bits(bitstring()) -> integer() | none.
bits(<<Size:4, N:Size, _/bits>>) when Size =:= 5, N =:= 21 -> error(five);
bits(<<Size:4, N:Size, _/bits>>) -> N;
bits(_) -> none.
