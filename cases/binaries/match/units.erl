%% unit multiplies the size; an integer may have one too.
%%! f(<<1, 2, 3, 4, 5>>) ==> {16909060,5}
%%! g(<<1, 2, 3>>)       ==> {odd,<<1,2,3>>}
%%! g(<<1, 2, 3, 4>>)    ==> {pairs,<<1,2,3,4>>}
%%! h(<<1:1, 2:2, 3:3>>) ==> {threes,<<51:6>>}
-module(units).
-export([f/1, g/1, h/1]).
f(<<A:2/integer-unit:16, B:1/unit:8>>) -> {A, B}.
g(<<B/binary-unit:16>>) -> {pairs, B};
g(<<B/binary>>) -> {odd, B}.
h(<<B/binary-unit:3>>) -> {threes, B};
h(_) -> no.
