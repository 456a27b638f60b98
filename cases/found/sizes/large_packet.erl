%% A binary of the size of a network packet.
%%! packet(<<0:12000>>) ==> error full
%%! packet(<<1>>)       ==> ok
%%? packet/1: finds error:full for (B) when byte_size(B) =:= 1500 within 20 runs; failures = 1
-module(large_packet).
-export([packet/1]).

-spec packet(binary()) -> ok.
packet(B) when byte_size(B) =:= 1500 -> error(full);
packet(_) -> ok.
