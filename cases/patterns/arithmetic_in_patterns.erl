%% Constant expressions are allowed in patterns.
%%! f(7)     ==> seven
%%! f(1024)  ==> kilo
%%! f(-5)    ==> minus_five
%%! f(16#ff) ==> byte
%%! f(0)     ==> other
-module(arithmetic_in_patterns).
-export([f/1]).
f(1 + 2 * 3) -> seven;
f(1 bsl 10) -> kilo;
f(-(2 + 3)) -> minus_five;
f(2#11111111) -> byte;
f(_) -> other.
