%% A frame of forty bytes with a checksum over them.
%%! frame(<<0:16, 0:32>>)         ==> other
%%! frame(<<40:16, 0:320, 1:32>>) ==> bad_sum
%%? frame/1: finds error:accepted for (<<40:16, _:40/binary, _:32>>) within 20 runs; failures = 1
-module(framed_payload).
-export([frame/1]).

-spec frame(binary()) -> other | bad_sum.
frame(<<Length:16, Data:Length/binary, Sum:32>>) when Length =:= 40 ->
    <<First:32, _/binary>> = Data,
    case First bxor 16#DEADBEEF of
        Sum -> error(accepted);
        _ -> bad_sum
    end;
frame(_) -> other.
