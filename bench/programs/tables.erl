%% Stresses ets: a set and an ordered_set filled, counted, looked up, walked and selected from.
-module(tables).
-export([main/1, size/0]).

size() -> 180000.

main(N) ->
    Set = ets:new(set, [set]),
    Ordered = ets:new(ordered, [ordered_set]),
    fill(N, 3, Set, Ordered),
    Sum = walk(Ordered, ets:first(Ordered), 0),
    Large = ets:select_count(Set, [{{'_', '$1', '_'}, [{'>', '$1', 3}], [true]}]),
    Result = {ets:info(Set, size), ets:info(Ordered, size), Sum rem 1000007, Large},
    ets:delete(Set),
    ets:delete(Ordered),
    Result.

fill(0, _, _, _) -> ok;
fill(N, Seed, Set, Ordered) ->
    Next = (Seed * 1103515245 + 12345) band 16#7fffffff,
    Key = (Next bsr 8) rem 40000,
    case ets:lookup(Set, Key) of
        [] -> ets:insert(Set, {Key, 1, [Key]});
        [_] -> ets:update_counter(Set, Key, {2, 1})
    end,
    ets:insert(Ordered, {{Key rem 100, N}, Next}),
    fill(N - 1, Next, Set, Ordered).

walk(_, '$end_of_table', Sum) -> Sum;
walk(Table, Key, Sum) -> walk(Table, ets:next(Table, Key), Sum + ets:lookup_element(Table, Key, 2)).
