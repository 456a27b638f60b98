%% Keys match exactly: 1 and 1.0 are different keys, and any term is a key.
%%! f(#{1 => a})                    ==> integer
%%! f(#{1.0 => a})                  ==> float
%%! f(#{"key" => a})                ==> string
%%! f(#{<<"key">> => a})            ==> binary
%%! f(#{#{} => a})                  ==> map
%%! f(#{[] => a})                   ==> nil
%%! f(#{18446744073709551616 => a}) ==> big
-module(map_keys_exact).
-export([f/1]).
f(#{1 := _}) -> integer;
f(#{1.0 := _}) -> float;
f(#{"key" := _}) -> string;
f(#{<<"key">> := _}) -> binary;
f(#{#{} := _}) -> map;
f(#{[] := _}) -> nil;
f(#{18446744073709551616 := _}) -> big.
