%% A variable that occurs twice in a pattern asks for exact equality.
%%! f(1, 1)              ==> same
%%! f(1, 1.0)            ==> different
%%! f([a, b], [a, b])    ==> same
%%! g({x, [x, y]})       ==> {first,x}
%%! g({x, [y, y]})       ==> {pair,y}
%%! h(#{a => 1, b => 1}) ==> {both,1}
%%! h(#{a => 1, b => 2}) ==> no
-module(repeated_variable).
-export([f/2, g/1, h/1]).
f(X, X) -> same;
f(_, _) -> different.
g({X, [X | _]}) -> {first, X};
g({_, [Y, Y]}) -> {pair, Y}.
h(#{a := X, b := X}) -> {both, X};
h(_) -> no.
