%% ordsets are sorted lists.
%%! f([c, a, b, a], [b, d]) ==> {[a,b,c],[a,b,c,d],[b],[a,c],[a,aa,b,c],[b,c],true,true}
-module(ordered_sets).
-export([f/2]).
f(A, B) ->
    X = ordsets:from_list(A), Y = ordsets:from_list(B),
    {X, ordsets:union(X, Y), ordsets:intersection(X, Y), ordsets:subtract(X, Y), ordsets:add_element(aa, X),
     ordsets:del_element(a, X), ordsets:is_subset([a], X), ordsets:is_disjoint(X, [z])}.
