%% Trees of a recursive type, as deep as the bug needs.
%%! depth({node, nil, 1, {node, nil, 2, nil}}) ==> 2
%%? depth/1 with max 300: finds error:deep for (T) when T =/= nil; failures = 1; inputs is_tree
-module(recursive_type).
-export([depth/1, is_tree/1]).

-type tree() :: nil | {node, tree(), integer(), tree()}.

-spec depth(tree()) -> non_neg_integer().
depth(Tree) ->
    case deep(Tree) of
        3 -> error(deep);
        Depth -> Depth
    end.

deep(nil) -> 0;
deep({node, Left, _, Right}) -> 1 + max(deep(Left), deep(Right)).

is_tree(nil) -> true;
is_tree({node, Left, N, Right}) -> is_integer(N) andalso is_tree(Left) andalso is_tree(Right);
is_tree(_) -> false.
