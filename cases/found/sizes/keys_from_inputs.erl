%% A map whose keys are inputs has one key less where they are the same.
%%! keys(a, b)           ==> ok
%%! keys(a, a)           ==> error same
%%! lookup(k, #{k => 3}) ==> error three
%%? keys/2: finds error:same for (K, K) within 20 runs; failures = 1
%%? lookup/2: finds error:three for (K, M) when map_get(K, M) =:= 3 within 20 runs; failures = 1
-module(keys_from_inputs).
-export([keys/2, lookup/2]).

keys(A, B) ->
    case map_size(#{A => 1, B => 2}) of
        1 -> error(same);
        2 -> ok
    end.

-spec lookup(atom(), #{atom() => integer()}) -> ok.
lookup(K, M) ->
    case M of
        #{K := 3} -> error(three);
        #{} -> ok
    end.
