%% Bug: deleting a node with two children takes the wrong neighbour up if that has a child of its own.
%% Needs: 6 calls, an order of the keys.
%% Scenario: T = lists:foldl(fun search_tree:insert/2, search_tree:new(), [2, 1, 4, 3]), true = search_tree:is_ordered(T), search_tree:is_ordered(search_tree:delete(2, T))
%%? client: finds error:{badmatch, false}
-module(search_tree).
-beagle({invariant, is_ordered/1}).
-export([new/0, insert/2, delete/2, to_list/1, is_ordered/1]).
-export_type([tree/0]).

-opaque tree() :: leaf | {tree(), integer(), tree()}.

-spec new() -> tree().
new() -> leaf.

-spec insert(integer(), tree()) -> tree().
insert(K, leaf) -> {leaf, K, leaf};
insert(K, {L, N, R}) when K < N -> {insert(K, L), N, R};
insert(K, {L, N, R}) when K > N -> {L, N, insert(K, R)};
insert(_, Tree) -> Tree.

-spec delete(integer(), tree()) -> tree().
delete(_, leaf) -> leaf;
delete(K, {L, N, R}) when K < N -> {delete(K, L), N, R};
delete(K, {L, N, R}) when K > N -> {L, N, delete(K, R)};
delete(_, {L, _, leaf}) -> L;
delete(_, {leaf, _, R}) -> R;
delete(_, {L, _, {RL, N, RR}}) -> {L, N, join(RL, RR)}.

-spec to_list(tree()) -> [integer()].
to_list(leaf) -> [];
to_list({L, N, R}) -> to_list(L) ++ [N | to_list(R)].

-spec is_ordered(tree()) -> boolean().
is_ordered(Tree) -> List = to_list(Tree), lists:usort(List) =:= List.

join(leaf, R) -> R;
join(L, leaf) -> L;
join({A, N, B}, R) -> {A, N, join(B, R)}.
