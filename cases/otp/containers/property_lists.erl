%% proplists: atoms are true, the first wins, expansion.
%%! f([{a, 1}, b, {a, 2}, {c, [x]}]) ==> {1,true,none,[1,2],true,{c,[x]},[b,{c,[x]}],[a,b,c],[b,c],#{a => 1,b => true,c => [x]}}
-module(property_lists).
-export([f/1]).
f(P) ->
    {proplists:get_value(a, P), proplists:get_value(b, P), proplists:get_value(z, P, none),
     proplists:get_all_values(a, P), proplists:get_bool(b, P),
     proplists:lookup(c, P), proplists:delete(a, P), lists:sort(proplists:get_keys(P)),
     proplists:compact([{b, true}, c]), proplists:to_map(P)}.
