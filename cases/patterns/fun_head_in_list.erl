%% Patterns inside generators, funs and heads are the same patterns.
%%! f([{a, 1}, b, {c, [2]}, {d, 3, 4}]) ==> {[{a,1},{c,[2]}],[a,b,c,d]}
-module(fun_head_in_list).
-export([f/1]).
f(L) ->
    Pairs = [{K, V} || {K, V} <- L],
    Keys = lists:map(fun({K, _}) -> K; ({K, _, _}) -> K; (K) -> K end, L),
    {Pairs, Keys}.
