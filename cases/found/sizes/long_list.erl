%% A list of two hundred items is no two hundred runs away.
%%! long([a])                ==> ok
%%! above(lists:seq(1, 101)) ==> error above
%%? long/1: finds error:long for (L) when length(L) =:= 200 within 20 runs; failures = 1
%%? above/1: finds error:above for (L) when length(L) > 100 within 20 runs; failures = 1
-module(long_list).
-export([long/1, above/1]).

-spec long([term()]) -> ok.
long(L) when length(L) =:= 200 -> error(long);
long(_) -> ok.

-spec above([integer()]) -> ok.
above(L) ->
    case length(L) of
        N when N > 100 -> error(above);
        _ -> ok
    end.
