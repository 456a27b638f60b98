%% A number that does not fit its segment is cut when the binary is built.
%%! low(257) ==> error {cut,257}
%%! low(-1)  ==> 255
%%? low/1: finds error:{cut,N} for (N) when N > 255, N band 255 =:= 1; failures = 1
-module(truncating_segments).
-export([low/1]).

-spec low(integer()) -> byte().
low(N) ->
    case <<N>> of
        <<1>> when N > 255 -> error({cut, N});
        <<Low>> -> Low
    end.
