%% An ordered_set keeps its keys in term order, where 1 == 1.0.
%%! f([3, 1, 2, b, a, "x", {}]) ==> {1,"x",[1,2,3,a,b,{},"x"]}
%%! g()                         ==> {[{1.0,float},{5,five}],5,1.0,'$end_of_table',[{1.0,float}]}
-module(ordered_set).
-export([f/1, g/0]).
f(Keys) ->
    T = ets:new(t, [ordered_set]),
    [ets:insert(T, {K, v}) || K <- Keys],
    {ets:first(T), ets:last(T), walk(T, ets:first(T))}.
walk(_, '$end_of_table') -> [];
walk(T, K) -> [K | walk(T, ets:next(T, K))].
g() ->
    T = ets:new(t, [ordered_set]),
    ets:insert(T, [{1, int}, {1.0, float}, {5, five}]),
    {ets:tab2list(T), ets:next(T, 3), ets:prev(T, 3), ets:next(T, 5), ets:lookup(T, 1)}.
