%% gb_sets: union, intersection, difference, and order.
%%! f([3, 1, 2], [2, 3, 4]) ==> [[1,2,3,4],[2,3],[1],[0,1,2,3],false,1,false]
-module(balanced_sets).
-export([f/2]).
f(A, B) ->
    X = gb_sets:from_list(A), Y = gb_sets:from_list(B),
    [gb_sets:to_list(S) || S <- [gb_sets:union(X, Y), gb_sets:intersection(X, Y), gb_sets:subtract(X, Y), gb_sets:add(0, X)]]
        ++ [gb_sets:is_subset(X, Y), gb_sets:smallest(X), gb_sets:is_disjoint(X, Y)].
