%% get raises badkey, update wants the key, get/3 has a default.
%%! f(a, #{a => 1}) ==> 1
%%! f(b, #{a => 1}) ==> error {badkey,b}
%%! f(a, [])        ==> error {badmap,[]}
%%! g(b, #{a => 1}) ==> default
%%! h(a, #{a => 1}) ==> #{a => new}
%%! h(b, #{a => 1}) ==> error {badkey,b}
%%! h(b, x)         ==> error {badmap,x}
-module(get_and_update).
-export([f/2, g/2, h/2]).
f(K, M) -> maps:get(K, M).
g(K, M) -> maps:get(K, M, default).
h(K, M) -> maps:update(K, new, M).
