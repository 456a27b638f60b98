%% Maps match and update in heads of functions and funs.
%%! f(#{n => 3}) ==> {done,6}
%%! f(#{n => 0}) ==> {done,none}
%%! f(#{m => 1}) ==> no_n
-module(as_arguments).
-export([f/1]).
f(#{n := 0} = S) -> {done, maps:get(sum, S, none)};
f(#{n := N} = S) -> f(S#{n := N - 1, sum => N + maps:get(sum, S, 0)});
f(#{}) -> no_n.
