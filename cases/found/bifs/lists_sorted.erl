%% Sorting, reversing and merging of lists that are not known yet.
%%! middle([3, 1, 2]) ==> 2
%%! unique([1, 1])    ==> error {repeated,[1,1]}
%%! backwards([1, 2]) ==> [2,1]
%%? middle/1 with bound 3, max 100: finds error:five for (L) when length(L) =:= 3; failures = 1
%%? unique/1 with bound 3, max 100: finds error:{repeated,_} for ([_, _ | _]); failures = 1
%%? backwards/1 with bound 3, max 60: finds error:backwards for ([3, 2, 1]); failures = 1
%%? keys/1 with bound 2, max 100: finds error:swapped for ([{B, _}, {A, _}]) when A < B; failures = 1
-module(lists_sorted).
-export([middle/1, unique/1, backwards/1, keys/1]).

-spec middle([integer()]) -> integer() | none.
middle([_, _, _] = L) ->
    case lists:sort(L) of
        [_, 5, _] -> error(five);
        [_, M, _] -> M
    end;
middle(_) -> none.

-spec unique([integer()]) -> [integer()].
unique(L) ->
    U = lists:usort(L),
    case length(U) < length(L) of
        true -> error({repeated, L});
        false -> U
    end.

-spec backwards([integer()]) -> [integer()].
backwards(L) ->
    case lists:reverse(L) of
        [1, 2, 3] -> error(backwards);
        R -> R
    end.

-spec keys([{integer(), atom()}]) -> [{integer(), atom()}].
keys([_, _] = L) ->
    case lists:keysort(1, L) of
        L -> L;
        _ -> error(swapped)
    end;
keys(L) -> L.
