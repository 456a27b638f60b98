%% Modules are atoms: a call may choose its module at run time.
%%! f(ordsets) ==> {3,true,false,[1,2,3]}
%%! f(gb_sets) ==> {3,true,false,[1,2,3]}
%%! f(sets)    ==> {3,true,false,[1,2,3]}
-module(higher_order_by_name).
-export([f/1]).
f(Set) ->
    S = Set:from_list([3, 1, 2, 3]),
    {Set:size(S), Set:is_element(2, S), Set:is_element(4, S), lists:sort(Set:to_list(S))}.
