%% A map with twenty associations.
%%! large(#{}) ==> ok
%%? large/1: finds error:large for (M) when map_size(M) =:= 20 within 20 runs; failures = 1
-module(large_map).
-export([large/1]).

-spec large(#{integer() => integer()}) -> ok.
large(M) when map_size(M) =:= 20 -> error(large);
large(_) -> ok.
