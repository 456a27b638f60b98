%% Heads, tails, lengths, and the two operators of lists.
%%! ends([1, 2])         ==> error {two,2}
%%! appended([1], [2])   ==> [1,2]
%%! without([1, 2], [2]) ==> [1]
%%? head/1: finds error:badarg for ([]); failures = 1; exhausts; runs = 2
%%? ends/1: finds error:badarg for (L) when length(L) < 2; finds error:{two,2} for ([_,2|_])
%%? appended/2 with max 300: finds error:joined for (A, B) when length(A) + length(B) =:= 3; failures = 1
%%? without/2 with max 300: finds error:left for ([_|_], [_|_]); failures = 1
%%? improper/1: finds error:badarg for (L) when L =/= []; failures = 1
-module(lists_taken_apart).
-export([head/1, ends/1, appended/2, without/2, improper/1]).

-spec head([term()]) -> term().
head(L) -> hd(L).

-spec ends([integer()]) -> integer().
ends(L) ->
    case hd(tl(L)) of
        2 -> error({two, 2});
        N -> N
    end.

-spec appended([integer()], [integer()]) -> [integer()].
appended(A, B) ->
    case A ++ B of
        [1, 2, 3] -> error(joined);
        C -> C
    end.

-spec without([integer()], [integer()]) -> [integer()].
without(A, B) ->
    case A -- B of
        [2] when B =/= [] -> error(left);
        C -> C
    end.

improper(X) -> length(X).
