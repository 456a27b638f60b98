%% split, lexemes and find.
%%! f("a,b,,c")            ==> {["a","b,,c"],["a,b,","c"],["a","b",[],"c"],["a","b","c"]}
%%! f(<<"a,b,,c">>)        ==> {[<<"a">>,<<"b,,c">>],[<<"a,b,">>,<<"c">>],[<<"a">>,<<"b">>,<<>>,<<"c">>],[<<"a">>,<<"b">>,<<"c">>]}
%%! g("  one two  three ") ==> {["one","two","three"],[[],[],"one","two",[],"three",[]],"two"}
%%! h("key=value=more")    ==> {"=value=more","=more",nomatch,"=value=more",nomatch}
-module(splitting).
-export([f/1, g/1, h/1]).
f(S) -> {string:split(S, ","), string:split(S, ",", trailing), string:split(S, ",", all), string:lexemes(S, ",")}.
g(S) -> {string:lexemes(S, " "), string:split(S, " ", all), string:nth_lexeme(S, 2, " ")}.
h(S) -> {string:find(S, "="), string:find(S, "=", trailing), string:find(S, "x"), string:prefix(S, "key"),
    string:prefix(S, "k=")}.
