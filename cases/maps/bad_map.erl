%% Updating what is not a map raises badmap.
%%! f([])  ==> error {badmap,[]}
%%! f({a}) ==> error {badmap,{a}}
%%! g(x)   ==> error {badmap,x}
%%! g(#{}) ==> error {badkey,k}
%%! h(1)   ==> error {badmap,1}
-module(bad_map).
-export([f/1, g/1, h/1]).
f(M) -> M#{a => 1}.
g(M) -> M#{k := 1}.
h(M) -> maps:put(k, v, M).
