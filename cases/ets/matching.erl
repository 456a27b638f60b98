%% match, match_object and match_delete with variables and wildcards.
%%! f() ==> {[[1,x],[3,y]],[{1,{a,x},10},{2,{b,x},20}],[{2,{b,x},20}]}
-module(matching).
-export([f/0]).
f() ->
    T = ets:new(t, [ordered_set]),
    ets:insert(T, [{1, {a, x}, 10}, {2, {b, x}, 20}, {3, {a, y}, 30}]),
    M = ets:match(T, {'$1', {a, '$2'}, '_'}),
    O = ets:match_object(T, {'_', {'_', x}, '_'}),
    true = ets:match_delete(T, {'_', {a, '_'}, '_'}),
    {M, O, ets:tab2list(T)}.
