%% gb_trees: insert, update, delete, smallest, largest, iterate.
%%! f([5, 2, 8, 1, 9, 3]) ==> {[{1,one},{2,4},{3,9},{8,64},{9,81}],{1,one},{9,81},none,5,true}
%%! g(0)                  ==> {{1,a,{1,{2,b,nil,nil}}},{2,{2,b,{1,a,nil,nil},nil}},{3,{2,b,{1,a,{0,x,nil,nil},nil},nil}}}
%%! g(1)                  ==> error {key_exists,1}
-module(balanced_trees).
-export([f/1, g/1]).
f(L) ->
    T = lists:foldl(fun(K, T) -> gb_trees:enter(K, K * K, T) end, gb_trees:empty(), L),
    T2 = gb_trees:delete(5, gb_trees:update(1, one, T)),
    {gb_trees:to_list(T2), gb_trees:smallest(T2), gb_trees:largest(T2), gb_trees:lookup(7, T2), gb_trees:size(T2),
     gb_trees:next(gb_trees:iterator_from(4, T2)) =/= none}.
g(K) -> T = gb_trees:from_orddict([{1, a}, {2, b}]), {gb_trees:take_smallest(T), gb_trees:balance(T), gb_trees:insert(K, x, T)}.
