%% Regular expressions: captures as indices, lists and binaries.
%%! f("hello world", "o")                   ==> {match,[{4,1}]}
%%! f("hello", "x")                         ==> nomatch
%%! g("2024-01-31", "(\\d+)-(\\d+)-(\\d+)") ==> {{match,[{0,10},{0,4},{5,2},{8,2}]},{match,["2024","01","31"]},{match,[<<"01">>]}}
%%! h(<<"abcabc">>)                         ==> {{match,[[{1,1}],[{4,1}]]},{match,[{1,1}]},{match,["c"]},match}
%%! f("a", "(")                             ==> error badarg
-module(run).
-export([f/2, g/2, h/1]).
f(S, R) -> re:run(S, R).
g(S, R) -> {re:run(S, R), re:run(S, R, [{capture, all_but_first, list}]), re:run(S, R, [{capture, [2], binary}])}.
h(S) -> {re:run(S, "b", [global]), re:run(S, "B", [caseless]), re:run(S, "(?<x>c)", [{capture, [x], list}]),
    re:run(S, "b", [{capture, none}])}.
