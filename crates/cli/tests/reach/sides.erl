%% Loops over data of declared types: each has sides that nothing takes, and no search ever sees all paths.
-module(sides).
-export([total/1, leaves/1]).

-spec total([integer()]) -> integer().
total([X | Rest]) -> X + total(Rest);
total([]) -> 0.

-type tree() :: leaf | {node, tree(), tree()}.

-spec leaves(tree()) -> pos_integer().
leaves({node, Left, Right}) -> leaves(Left) + leaves(Right);
leaves(leaf) -> 1.
