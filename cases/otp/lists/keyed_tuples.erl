%% Lists of tuples by key: store, replace, delete, take, map.
%%! f([{a, 1}, {b, 2}, {c, 3}]) ==> {[{a,1},{b,x},{c,3}],[{a,1},{b,2},{c,3},{d,x}],[{a,new},{b,2},{c,3}],[{a,1},{b,2}],{value,{b,2},[{a,1},{c,3}]},[{a,10},{b,20},{c,30}]}
-module(keyed_tuples).
-export([f/1]).
f(L) ->
    {lists:keystore(b, 1, L, {b, x}), lists:keystore(d, 1, L, {d, x}), lists:keyreplace(a, 1, L, {a, new}),
     lists:keydelete(c, 1, L),
     lists:keytake(b, 1, L), lists:keymap(fun(V) -> V * 10 end, 2, L)}.
