%% Maps with keys that nobody named: listed, folded over, counted, cut and put together.
%%! listed(#{5 => a, 7 => b}) ==> ok
%%! weighed(#{<<"ab">> => 3}) ==> 6
%%! without(#{a => 1, b => 2}) ==> error nothing_left
%%! taken(#{a => {v, 3}, b => 0}, a) ==> error one_left
%%? listed/1 with max 200: finds error:{pairs,_} for (M) when map_size(M) =:= 2, map_get(k, M) =:= 42; failures = 1
%%? values/1 with max 200: finds error:both for (M) when map_size(M) =:= 2; failures = 1
%%? weighed/1 with max 60: finds error:heavy for (M) when map_size(M) > 0; failures = 1
%%? large/1 with max 200: finds error:two for (M) when map_size(M) >= 2; failures = 1
%%? without/1: finds error:nothing_left for (#{a := _, b := _}); failures = 1; exhausts
%%? taken/2: finds error:one_left for (M, K) when map_get(K, M) =:= {v, 3}, map_size(M) =:= 2; failures = 1; exhausts
%%? first/1 with max 200: finds error:only for (#{q := 9}); failures = 1
%%? tuples/1 with max 200: finds error:tuple for (M) when is_map_key({a, 1}, M); failures = 1
%%? common/2 with max 300: finds error:shared for (A, B) when map_size(A) > 0, map_size(B) > 0; failures = 1
%%? heads/1: finds error:two_large for (M) when map_size(M) >= 2; failures = 1
%%? squared/1 with max 20: finds spec:_ for (M) when map_size(M) > 0; failures = 1
-module(maps_of_any_keys).
-export([listed/1, values/1, weighed/1, large/1, without/1, taken/2, first/1, tuples/1, common/2, heads/1, squared/1]).

-spec listed(#{atom() => integer()}) -> ok.
listed(M) ->
    case maps:to_list(M) of
        [{k, 42}, {_, B}] when B > 42 -> error({pairs, B});
        _ -> ok
    end.

-spec values(#{atom() => integer()}) -> ok.
values(M) ->
    case maps:values(M) of
        [5, 7] -> error(both);
        _ -> ok
    end.

-spec weighed(#{binary() => integer()}) -> integer().
weighed(M) ->
    case maps:fold(fun(K, V, Sum) -> byte_size(K) * V + Sum end, 0, M) of
        77 -> error(heavy);
        Sum -> Sum
    end.

-spec large(#{atom() => integer()}) -> ok.
large(M) ->
    case maps:filter(fun(_, V) -> V > 100 end, M) of
        Large when map_size(Large) =:= 2 -> error(two);
        _ -> ok
    end.

-spec without(map()) -> ok.
without(M) ->
    case maps:without([a, b], M) of
        Left when map_size(Left) =:= 0, map_size(M) =:= 2 -> error(nothing_left);
        _ -> ok
    end.

-spec taken(#{atom() => any()}, atom()) -> ok.
taken(M, Key) ->
    case maps:take(Key, M) of
        {{v, 3}, Left} when map_size(Left) =:= 1 -> error(one_left);
        _ -> ok
    end.

-spec first(#{atom() => integer()}) -> ok.
first(M) ->
    case maps:next(maps:iterator(M)) of
        {q, 9, Rest} ->
            case maps:next(Rest) of
                none -> error(only);
                _ -> ok
            end;
        _ ->
            ok
    end.

-spec tuples(map()) -> ok.
tuples(M) ->
    case maps:keys(M) of
        [{a, 1}] -> error(tuple);
        _ -> ok
    end.

-spec common(#{atom() => integer()}, #{atom() => integer()}) -> ok.
common(A, B) ->
    case maps:values(maps:intersect(A, B)) of
        [33] -> error(shared);
        _ -> ok
    end.

-spec heads(#{atom() => [integer()]}) -> ok.
heads(M) ->
    case [Head || {Key, [Head | _]} <- maps:to_list(M), Key =/= skip, Head > 1000] of
        [_, _] -> error(two_large);
        _ -> ok
    end.

%% Not every square is positive.
-spec squared(#{atom() => integer()}) -> #{atom() => pos_integer()}.
squared(M) -> maps:map(fun(_, V) -> V * V end, M).
