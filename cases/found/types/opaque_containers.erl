%% Inputs of opaque types are made by their module's own functions, so they are always valid.
%%! tree(gb_trees:from_orddict([{1, a}])) ==> [a]
%%! queue(queue:from_list([1, 2]))        ==> 2
%%! set(gb_sets:from_list([3]))           ==> true
%%? tree/1 with max 60: clean
%%? queue/1 with max 60: clean
%%? set/1 with max 60: clean
%%? small/1 with max 100: finds error:{small,_} for (_); failures = 1
-module(opaque_containers).
-export([tree/1, queue/1, set/1, small/1]).

-spec tree(gb_trees:tree(integer(), atom())) -> [atom()].
tree(Tree) ->
    Size = gb_trees:size(Tree),
    Values = gb_trees:values(gb_trees:balance(Tree)),
    Size = length(Values),
    Values.

-spec queue(queue:queue(integer())) -> non_neg_integer().
queue(Queue) ->
    Length = queue:len(Queue),
    Length = length(queue:to_list(queue:reverse(Queue))),
    Length.

-spec set(gb_sets:set(integer())) -> boolean().
set(Set) -> gb_sets:is_empty(Set) orelse gb_sets:is_element(gb_sets:smallest(Set), Set).

-spec small(gb_trees:tree(integer(), atom())) -> ok.
small(Tree) ->
    case gb_trees:is_empty(Tree) of
        true -> error({small, Tree});
        false -> ok
    end.
