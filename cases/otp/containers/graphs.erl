%% digraph in ets, and its algorithms.
%%! f() ==> {true,[b,c],false,3,true}
-module(graphs).
-export([f/0]).
f() ->
    G = digraph:new(),
    [digraph:add_vertex(G, V) || V <- [a, b, c, d]],
    [digraph:add_edge(G, A, B) || {A, B} <- [{a, b}, {b, c}, {a, c}]],
    R = {digraph_utils:topsort(G) =/= false, lists:sort(digraph_utils:reachable([b], G)),
        digraph:get_path(G, a, d), digraph:no_edges(G), digraph_utils:is_acyclic(G)},
    digraph:delete(G),
    R.
