%% A tuple of thirty elements, the last of which counts.
%%! wide({})                       ==> ok
%%! wide(erlang:make_tuple(30, y)) ==> ok
%%? wide/1: finds error:wide for (T) when tuple_size(T) =:= 30, element(30, T) =:= x within 20 runs; failures = 1
-module(wide_tuple).
-export([wide/1]).

wide(T) when tuple_size(T) =:= 30, element(30, T) =:= x -> error(wide);
wide(_) -> ok.
