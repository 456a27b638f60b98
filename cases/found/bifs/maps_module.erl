%% The functions of the module maps, over maps that are not known yet.
%%! stored(#{})                  ==> ok
%%! merged(#{a => 1}, #{b => 2}) ==> error both
%%! total(#{a => 1, b => 2})     ==> 3
%%? found/1: finds error:{badkey,a} for (M) when not is_map_key(a, M); failures = 1
%%? either/1: finds error:default for (M) when not is_map_key(a, M); finds error:nine for (#{a := 9}); failures = 2
%%? stored/1: clean
%%? removed/1: finds error:empty for (M) when map_size(M) =:= 1, is_map_key(a, M); failures = 1
%%? merged/2 with max 200: finds error:both for (#{a := 1}, #{b := 2}); failures = 1
%%? total/1 with max 200: finds error:ten for (M) when map_size(M) > 0; failures = 1
%%? listed/1 with max 100: finds error:{keys,_} for (M) when is_map_key(x, M), is_map_key(y, M), map_size(M) =:= 2; failures = 1
-module(maps_module).
-export([found/1, either/1, stored/1, removed/1, merged/2, total/1, listed/1]).

-type counts() :: #{atom() => integer()}.

-spec found(counts()) -> integer().
found(M) -> maps:get(a, M).

-spec either(counts()) -> integer().
either(M) ->
    case {maps:find(a, M), maps:get(a, M, none)} of
        {{ok, 9}, 9} -> error(nine);
        {{ok, N}, N} -> N;
        {error, none} -> error(default)
    end.

-spec stored(counts()) -> ok.
stored(M) ->
    New = maps:put(a, 5, M),
    5 = maps:get(a, New),
    true = maps:is_key(a, New),
    true = maps:size(New) >= maps:size(M),
    ok.

-spec removed(counts()) -> counts().
removed(M) ->
    case maps:remove(a, M) of
        Left when map_size(Left) =:= 0, map_size(M) > 0 -> error(empty);
        Left -> Left
    end.

-spec merged(counts(), counts()) -> ok.
merged(A, B) ->
    case maps:merge(A, B) of
        #{a := 1, b := 2} when not is_map_key(b, A), not is_map_key(a, B) -> error(both);
        _ -> ok
    end.

-spec total(counts()) -> integer().
total(M) ->
    case maps:fold(fun(_, N, Sum) -> N + Sum end, 0, M) of
        10 -> error(ten);
        Sum -> Sum
    end.

-spec listed(counts()) -> [atom()].
listed(M) ->
    case lists:sort(maps:keys(M)) of
        [x, y] -> error({keys, lists:sort(maps:values(M))});
        Keys -> Keys
    end.
