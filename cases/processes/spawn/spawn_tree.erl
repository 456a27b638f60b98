%% Processes that start processes: every node of a tree is one, and joins its children in order.
%%! sum(0)    ==> 1
%%! sum(1)    ==> 6
%%! sum(6)    ==> 8128
%%! leaves(4) ==> [16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31]
-module(spawn_tree).
-export([sum/1, leaves/1]).
sum(Depth) -> node(Depth, 1, fun(N, Parts) -> N + lists:sum(Parts) end).
leaves(Depth) ->
    node(Depth, 1, fun(N, []) -> [N];
                      (_, Parts) -> lists:append(Parts)
                   end).
node(0, N, Join) -> Join(N, []);
node(Depth, N, Join) ->
    Me = self(),
    Kids = [spawn_link(fun() -> Me ! {self(), node(Depth - 1, Kid, Join)} end) || Kid <- [2 * N, 2 * N + 1]],
    Join(N, [receive {Kid, Part} -> Part end || Kid <- Kids]).
