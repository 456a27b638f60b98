%% A comprehension goes over the bytes of one binary and builds another.
%%! next(<<"ac">>) ==> error {made,<<"ac">>}
%%! flags(<<5:4>>) ==> error five
%%? next/1 with max 100: finds error:{made,<<"ac">>} for (<<"ac">>); failures = 1
%%? flags/1 with bound 8, max 200: finds error:five for (<<5:4>>); failures = 1
-module(binary_comprehension).
-export([next/1, flags/1]).

-spec next(binary()) -> binary().
next(Bytes) ->
    case << <<(B + 1)>> || <<B>> <= Bytes >> of
        <<"bd">> -> error({made, Bytes});
        Made -> Made
    end.

-spec flags(bitstring()) -> [0 | 1].
flags(Bits) ->
    case [B || <<B:1>> <= Bits] of
        [0, 1, 0, 1] -> error(five);
        Flags -> Flags
    end.
