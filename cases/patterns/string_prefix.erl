%% A string literal with ++ matches a prefix.
%%! f("hello world")       ==> {hello," world"}
%%! f("help")              ==> {hel,112}
%%! f("hel")               ==> {prefix,[]}
%%! f("he")                ==> no
%%! f([$h, $e, $l | tail]) ==> {prefix,tail}
%%! f(<<"hello">>)         ==> no
-module(string_prefix).
-export([f/1]).
f("hello" ++ Rest) -> {hello, Rest};
f("hel" ++ [C]) -> {hel, C};
f("hel" ++ Rest) -> {prefix, Rest};
f(_) -> no.
