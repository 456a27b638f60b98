%% Beyond 32 keys: insert, look up, update, remove.
%%! f(33)   ==> {33,33,32,one,false,561,error}
%%! f(1000) ==> {1000,1000,999,one,false,500500,error}
-module(large).
-export([f/1]).
f(N) ->
    M = lists:foldl(fun(I, Acc) -> Acc#{{key, I} => I} end, #{}, lists:seq(1, N)),
    M2 = maps:remove({key, 7}, M#{{key, 1} := one}),
    {map_size(M), maps:get({key, N}, M), map_size(M2), maps:get({key, 1}, M2),
     maps:is_key({key, 7}, M2), lists:sum(maps:values(M)), maps:find({key, N + 1}, M)}.
