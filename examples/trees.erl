%% Binary search trees.
-module(trees).
-export([insert/2, delete/2]).

-type tree() :: leaf | {tree(), integer(), tree()}.

-spec insert(integer(), tree()) -> tree().
insert(Key, leaf) -> {leaf, Key, leaf};
insert(Key, {Left, At, Right}) when Key < At -> {insert(Key, Left), At, Right};
insert(Key, {Left, At, Right}) when Key > At -> {Left, At, insert(Key, Right)};
insert(_, Tree) -> Tree.

-spec delete(integer(), tree()) -> tree().
delete(_, leaf) -> leaf;
delete(Key, {Left, At, Right}) when Key < At -> {delete(Key, Left), At, Right};
delete(Key, {Left, At, Right}) when Key > At -> {Left, At, delete(Key, Right)};
delete(_, {leaf, _, Right}) -> Right;
delete(_, {Left, _, Right}) ->
    Next = smallest(Right),
    {Left, Next, delete(Next, Right)}.

smallest({leaf, Key, _}) -> Key;
smallest({Left, _, _}) -> smallest(Left).
