%% A function that the unit hands to its input must return what is declared of it.
%%? unit/1 with max 50: finds error:{outside_range,_}; failures = 1
-module(leaves_its_range).
-export([unit/1]).

-spec unit(fun((fun((0..9) -> 0..9)) -> integer())) -> integer().
unit(F) ->
    F(fun(X) -> X + 1 end).
