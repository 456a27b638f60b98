%% update_counter adds, with limits and defaults; update_element replaces fields.
%%! f() ==> [5,6,0,42,[1,7]]
%%! g() ==> error badarg
%%! h() ==> {true,false,[{k,x,b}],b}
-module(updating_counters).
-export([f/0, g/0, h/0]).
f() ->
    T = ets:new(t, []),
    ets:insert(T, {c, 0, 10}),
    [ets:update_counter(T, c, 5), ets:update_counter(T, c, {3, -4}), ets:update_counter(T, c, {2, 1, 5, 0}),
     ets:update_counter(T, new, {2, 1}, {new, 41}), ets:update_counter(T, c, [{2, 1}, {3, 1}])].
g() -> T = ets:new(t, []), ets:update_counter(T, missing, 1).
h() -> T = ets:new(t, []), ets:insert(T, {k, a, b}),
    {ets:update_element(T, k, {2, x}), ets:update_element(T, z, {2, x}), ets:lookup(T, k), ets:lookup_element(T, k, 3)}.
