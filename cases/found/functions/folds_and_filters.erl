%% The functions of everyday: given to library code, called once for each item.
%%? mapped/2 with bound 3, max 400: finds error:bug; failures = 1
%%? filtered/2 with bound 3, max 400: finds error:badarg; failures = 1
%%? folded/2 with bound 3, max 400: finds error:bug; failures = 1
%%? sorted/2 with bound 3, max 400: finds error:bug; failures = 1
%%? swapped/3 with bound 2, max 800: finds error:not_the_same; failures = 1
-module(folds_and_filters).
-export([mapped/2, filtered/2, folded/2, sorted/2, swapped/3]).

-spec mapped(fun((integer()) -> integer()), [integer()]) -> ok.
mapped(F, L) ->
    case lists:map(F, L) of
        [5, 6] -> error(bug);
        _ -> ok
    end.

-spec filtered(fun((integer()) -> boolean()), [integer()]) -> integer().
filtered(F, L) ->
    hd(lists:filter(F, [1 | L])).

-spec folded(fun((integer(), integer()) -> integer()), [integer()]) -> ok.
folded(F, L) ->
    case lists:foldl(F, 0, L) of
        42 when length(L) =:= 2 -> error(bug);
        _ -> ok
    end.

-spec sorted(fun((integer(), integer()) -> boolean()), [integer()]) -> ok.
sorted(F, L) ->
    case lists:sort(F, L) of
        [3, 1, 2] -> error(bug);
        _ -> ok
    end.

-spec swapped(fun((integer()) -> integer()), fun((integer()) -> boolean()), [integer()]) -> ok.
swapped(F, P, L) ->
    case lists:map(F, lists:filter(P, L)) =:= lists:filter(P, lists:map(F, L)) of
        true -> ok;
        false -> error(not_the_same)
    end.
