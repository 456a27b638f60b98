%% re:replace and re:split with their options.
%%! f("a1b22c")    ==> {"a#b#c",<<"1aa1b22c">>}
%%! g("a, b,c ,d") ==> {["a","b","c","d"],["a",","," b,c ,d"],["a","b","c"]}
-module(replace_and_split).
-export([f/1, g/1]).
f(S) -> {re:replace(S, "[0-9]+", "#", [global, {return, list}]), re:replace(S, "([a-z])([0-9])", "\\2\\1&", [{return, binary}])}.
g(S) -> {re:split(S, "\\s*,\\s*", [{return, list}]), re:split(S, "(,)", [{return, list}, {parts, 2}]),
    re:split("abc", "", [{return, list}, trim])}.
