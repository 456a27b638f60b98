%% Intervals that touch are merged only if the order in which they come is the order of their starts.
%%! merge([{1, 3}, {2, 5}]) ==> [{1,5}]
%%! merge([{2, 5}, {1, 3}]) ==> error {overlap,[{2,5},{1,3}]}
%%? merge/1 with bound 2, max 300: finds error:{overlap,_} for ([{A, B}, {C, D}]) when C < A, D >= A, B >= C; failures = 1
-module(merged_intervals).
-export([merge/1]).

-type interval() :: {0..100, 0..100}.

-spec merge([interval()]) -> [interval()].
merge(Intervals) ->
    Merged = join([I || {A, B} = I <- Intervals, A =< B]),
    case Merged of
        [{A, B}, {C, D}] when A =< D, C =< B -> error({overlap, Merged});
        _ -> Merged
    end.

join([{A, B}, {C, D} | Rest]) when A =< C, C =< B -> join([{A, max(B, D)} | Rest]);
join([I | Rest]) -> [I | join(Rest)];
join([]) -> [].
