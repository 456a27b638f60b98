%% foldl, foldr, take, delete_all_objects.
%%! f() ==> {[16,9,4,1],[1,4,9,16],[{2,4}],3,[]}
-module(fold_and_take).
-export([f/0]).
f() ->
    T = ets:new(t, [ordered_set]),
    ets:insert(T, [{K, K * K} || K <- [1, 2, 3, 4]]),
    L = ets:foldl(fun({_, V}, Acc) -> [V | Acc] end, [], T),
    R = ets:foldr(fun({_, V}, Acc) -> [V | Acc] end, [], T),
    Taken = ets:take(T, 2),
    Left = ets:info(T, size),
    ets:delete_all_objects(T),
    {L, R, Taken, Left, ets:tab2list(T)}.
