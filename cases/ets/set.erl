%% A set table: insert replaces, lookup gives a list.
%%! f() ==> {[{a,3}],[],true,2,[{a,3},{b,2}]}
%%! g() ==> {true,false,[{k,1}],true,[],true}
-module(set).
-export([f/0, g/0]).
f() ->
    T = ets:new(t, [set]),
    true = ets:insert(T, {a, 1}),
    true = ets:insert(T, [{b, 2}, {a, 3}]),
    {ets:lookup(T, a), ets:lookup(T, z), ets:member(T, b), ets:info(T, size), lists:sort(ets:tab2list(T))}.
g() ->
    T = ets:new(t, []),
    {ets:insert_new(T, {k, 1}), ets:insert_new(T, {k, 2}), ets:lookup(T, k), ets:delete(T, k), ets:lookup(T, k), ets:delete(T)}.
