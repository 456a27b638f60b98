%% A bag keeps different objects with one key; a duplicate_bag keeps equal ones too.
%%! f(bag)           ==> {[{a,1},{a,2}],[{a,2}],2}
%%! f(duplicate_bag) ==> {[{a,1},{a,2},{a,1}],[{a,2}],2}
-module(bag).
-export([f/1]).
f(Type) ->
    T = ets:new(t, [Type]),
    ets:insert(T, [{a, 1}, {a, 2}, {a, 1}, {b, 1}]),
    L = ets:lookup(T, a),
    ets:delete_object(T, {a, 1}),
    {L, ets:lookup(T, a), ets:info(T, size)}.
