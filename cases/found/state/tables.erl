%% What was put into a table of ets comes out as it went in, and a key finds what it may be.
%%! looked_up(1) ==> ok
%%! smaller(3, 9) ==> ok
%%? looked_up/1: finds error:bug for (4711); failures = 1; exhausts
%%? by_key/1: finds error:second for (bar); failures = 1; exhausts
%%? equal_numbers/1: finds error:same for (N) when N == 77; failures = 1
%%? new/1: finds error:old for (5); failures = 1; exhausts
%%? element/1: finds error:nineteen for (19); failures = 1; exhausts
%%? updated/1: finds error:nineteen for (19); failures = 1; exhausts
%%? counted/2: finds error:fifty for (47, k); failures = 1; exhausts
%%? limited/1: finds error:back for (N) when N > 95; failures = 1; exhausts
%%? deleted/1: finds error:gone for (b); failures = 1; exhausts
%%? listed/1: finds error:nine for (9); failures = 1; exhausts
%%? summed/1 with bound 3, max 100: finds error:sum for ([_ | _]); failures = 1
%%? smaller/2: finds error:second for (X, Y) when X =:= Y + 3; failures = 1; exhausts
%%? matched/1: finds error:a for (9); failures = 1; exhausts
%%? selected/1: finds error:large for (N) when N > 100; failures = 1; exhausts
%%? removed/1: finds error:between for (N) when N > 5, N < 10; failures = 1; exhausts
%%? wanted/1: finds error:seven for (7); failures = 1; exhausts
%%? one_of_a_bag/2: finds error:once for (X, X); failures = 1; exhausts
%%? anything/1 with max 100: finds error:badarg; finds error:pair for ({k, 3}); failures = 2
-module(tables).
-export([looked_up/1, by_key/1, equal_numbers/1, new/1, element/1, updated/1, counted/2, limited/1, deleted/1,
         listed/1, summed/1, smaller/2, matched/1, selected/1, removed/1, wanted/1, one_of_a_bag/2, anything/1]).

-spec looked_up(integer()) -> ok.
looked_up(X) ->
    T = ets:new(t, []),
    ets:insert(T, {k, X}),
    [{k, Y}] = ets:lookup(T, k),
    case Y of
        4711 -> error(bug);
        _ -> ok
    end.

-spec by_key(atom()) -> ok.
by_key(Key) ->
    T = ets:new(t, []),
    ets:insert(T, [{foo, 1}, {bar, 2}]),
    case ets:lookup(T, Key) of
        [{_, 2}] -> error(second);
        _ -> ok
    end.

-spec equal_numbers(number()) -> ok.
equal_numbers(X) ->
    T = ets:new(t, [ordered_set]),
    ets:insert(T, {X, a}),
    case ets:member(T, 77) of
        true -> error(same);
        false -> ok
    end.

-spec new(integer()) -> ok.
new(X) ->
    T = ets:new(t, []),
    true = ets:insert_new(T, {5, a}),
    case ets:insert_new(T, {X, b}) of
        false -> error(old);
        true -> ok
    end.

-spec element(integer()) -> ok.
element(X) ->
    T = ets:new(t, []),
    ets:insert(T, {k, {X, b}}),
    case ets:lookup_element(T, k, 2) of
        {19, b} -> error(nineteen);
        _ -> ok
    end.

-spec updated(integer()) -> ok.
updated(X) ->
    T = ets:new(t, []),
    ets:insert(T, {k, 0}),
    true = ets:update_element(T, k, {2, X}),
    case ets:lookup(T, k) of
        [{k, 19}] -> error(nineteen);
        _ -> ok
    end.

-spec counted(integer(), atom()) -> ok.
counted(X, Key) ->
    T = ets:new(t, []),
    ets:insert(T, {k, X}),
    case ets:update_counter(T, Key, {2, 3}, {Key, 0}) of
        50 -> error(fifty);
        _ -> ok
    end.

%% Beyond the threshold it begins again.
-spec limited(integer()) -> ok.
limited(X) ->
    T = ets:new(t, []),
    ets:insert(T, {k, 5}),
    case ets:update_counter(T, k, {2, X, 100, 0}) of
        0 when X > 0 -> error(back);
        _ -> ok
    end.

-spec deleted(atom()) -> ok.
deleted(Key) ->
    T = ets:new(t, []),
    ets:insert(T, [{a, 1}, {b, 2}]),
    ets:delete(T, Key),
    case ets:lookup(T, b) of
        [] -> error(gone);
        _ -> ok
    end.

-spec listed(integer()) -> ok.
listed(X) ->
    T = ets:new(t, [ordered_set]),
    ets:insert(T, [{a, X}, {b, 2}]),
    case ets:tab2list(T) of
        [{a, 9}, _] -> error(nine);
        _ -> ok
    end.

-spec summed([integer()]) -> ok.
summed(L) ->
    T = ets:new(t, [duplicate_bag]),
    [ets:insert(T, {k, X}) || X <- L],
    case ets:foldl(fun({_, X}, Sum) -> X + Sum end, 0, T) of
        55 -> error(sum);
        _ -> ok
    end.

-spec smaller(integer(), integer()) -> ok.
smaller(X, Y) ->
    T = ets:new(t, [ordered_set]),
    ets:insert(T, [{X, x}, {Y, y}]),
    case ets:lookup(T, ets:first(T)) of
        [{_, y}] when X =:= Y + 3 -> error(second);
        _ -> ok
    end.

-spec matched(integer()) -> ok.
matched(X) ->
    T = ets:new(t, []),
    ets:insert(T, [{a, X}, {b, 2}]),
    case ets:match(T, {'$1', 9}) of
        [[Key]] -> error(Key);
        _ -> ok
    end.

-spec selected(integer()) -> ok.
selected(X) ->
    T = ets:new(t, []),
    ets:insert(T, [{a, X}, {b, 2}]),
    case ets:select(T, [{{'$1', '$2'}, [{'>', '$2', 100}], ['$1']}]) of
        [a] -> error(large);
        _ -> ok
    end.

-spec removed(integer()) -> ok.
removed(X) ->
    T = ets:new(t, []),
    ets:insert(T, [{a, X}, {b, 3}]),
    ets:select_delete(T, [{{'_', '$1'}, [{'<', '$1', 10}, {'>', '$1', 5}], [true]}]),
    case ets:member(T, a) of
        false -> error(between);
        true -> ok
    end.

-spec wanted(integer()) -> ok.
wanted(X) ->
    T = ets:new(t, []),
    ets:insert(T, [{1, a}, {7, b}]),
    case ets:match_object(T, {X, '_'}) of
        [{_, b}] -> error(seven);
        _ -> ok
    end.

-spec one_of_a_bag(integer(), integer()) -> ok.
one_of_a_bag(X, Y) ->
    T = ets:new(t, [bag]),
    ets:insert(T, [{a, X}, {a, Y}]),
    case ets:info(T, size) of
        1 -> error(once);
        2 -> ok
    end.

-spec anything(any()) -> ok.
anything(Object) ->
    T = ets:new(t, []),
    ets:insert(T, Object),
    case ets:lookup(T, k) of
        [{_, 3}] -> error(pair);
        _ -> ok
    end.
