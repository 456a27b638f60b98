%% Stresses gb_trees: inserting, looking up, deleting and iterating in an interpreted library.
-module(balanced_tree).
-export([main/1, size/0]).

size() -> 200000.

main(N) ->
    Tree = insert(N, 99, gb_trees:empty()),
    Smaller = delete(gb_trees:keys(Tree), 0, Tree),
    Sum = sum(gb_trees:next(gb_trees:iterator(Smaller)), 0),
    Found = length([K || K <- lists:seq(1, N), gb_trees:lookup(K * 17, Tree) =/= none]),
    {gb_trees:size(Tree), gb_trees:size(Smaller), Sum rem 1000007, Found}.

insert(0, _, Tree) -> Tree;
insert(N, Seed, Tree) ->
    Next = (Seed * 1103515245 + 12345) band 16#7fffffff,
    insert(N - 1, Next, gb_trees:enter((Next bsr 8) rem 1000000, N, Tree)).

delete([], _, Tree) -> Tree;
delete([K | Keys], I, Tree) when I rem 3 =:= 0 -> delete(Keys, I + 1, gb_trees:delete(K, Tree));
delete([_ | Keys], I, Tree) -> delete(Keys, I + 1, Tree).

sum(none, Acc) -> Acc;
sum({K, V, Iterator}, Acc) -> sum(gb_trees:next(Iterator), Acc + K * V).
