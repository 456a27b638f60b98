%% In a set 1 and 1.0 are different keys.
%%! f(set)         ==> {2,[{1,a}],[{1.0,b}]}
%%! f(ordered_set) ==> {1,[{1.0,b}],[{1.0,b}]}
%%! f(bag)         ==> {2,[{1,a}],[{1.0,b}]}
-module(exact_keys_in_sets).
-export([f/1]).
f(Type) -> T = ets:new(t, [Type]), ets:insert(T, [{1, a}, {1.0, b}]), {ets:info(T, size), ets:lookup(T, 1), ets:lookup(T, 1.0)}.
