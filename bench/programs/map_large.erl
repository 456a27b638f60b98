%% Stresses large maps: counting integer and tuple keys, then merging, filtering and folding.
-module(map_large).
-export([main/1, size/0]).

size() -> 400000.

main(N) ->
    Counts = count(N, 1, #{}),
    Pairs = maps:fold(fun(K, V, Acc) -> Acc#{{K rem 1000, V} => K} end, #{}, Counts),
    Both = maps:merge(Counts, Pairs),
    Common = maps:filter(fun(_, V) -> is_integer(V) andalso V > 3 end, Counts),
    {map_size(Counts), map_size(Pairs), map_size(Both), map_size(Common), lists:sum(maps:values(Common)) rem 1000007}.

count(0, _, Counts) -> Counts;
count(N, Seed, Counts) ->
    Next = (Seed * 1103515245 + 12345) band 16#7fffffff,
    Key = (Next bsr 8) rem 60000,
    case Counts of
        #{Key := Old} -> count(N - 1, Next, Counts#{Key := Old + 1});
        #{} -> count(N - 1, Next, Counts#{Key => 1})
    end.
