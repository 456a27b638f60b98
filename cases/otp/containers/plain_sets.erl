%% sets in both versions hold the same elements.
%%! f(1) ==> {5,[1,2.5,3,a,b],false,[1,3],true}
%%! f(2) ==> {5,[1,2.5,3,a,b],false,[1,3],true}
-module(plain_sets).
-export([f/1]).
f(V) ->
    S = sets:from_list([1, 2, 3, 2.5, a], [{version, V}]),
    T = sets:del_element(2, sets:add_element(b, S)),
    {sets:size(S), lists:sort(sets:to_list(T)), sets:is_element(1.0, S),
     lists:sort(sets:to_list(sets:filter(fun is_integer/1, T))), sets:is_set(S)}.
