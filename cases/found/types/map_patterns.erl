%% A key in a pattern may be bound, nested, or compared with another value of the same map.
%%! pair(k, #{k => #{inner => 5}, j => 5}) ==> error {same,5}
%%! pair(j, #{k => #{inner => 5}, j => 5}) ==> other
%%? pair/2: finds error:{same,_} for (K, M) when is_map_key(K, M); failures = 1
-module(map_patterns).
-export([pair/2]).

pair(Key, #{j := Value} = Map) ->
    case Map of
        #{Key := #{inner := Value}} -> error({same, Value});
        #{Key := _} -> other;
        #{} -> none
    end;
pair(_, _) -> no_map.
