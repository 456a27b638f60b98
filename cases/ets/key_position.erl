%% keypos chooses the element that is the key; too short a tuple is badarg.
%%! f()            ==> {[{b,1}],2,set}
%%! g({a})         ==> error badarg
%%! g(not_a_tuple) ==> error badarg
%%! g({})          ==> error badarg
-module(key_position).
-export([f/0, g/1]).
f() -> T = ets:new(t, [{keypos, 2}]), ets:insert(T, [{a, 1}, {b, 1}]), {ets:lookup(T, 1), ets:info(T, keypos), ets:info(T, type)}.
g(Object) -> T = ets:new(t, [{keypos, 2}]), ets:insert(T, Object).
