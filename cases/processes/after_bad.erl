%% A timeout that is no time raises timeout_value.
%%! f(-1)       ==> error timeout_value
%%! f(a)        ==> error timeout_value
%%! f(1.5)      ==> error timeout_value
%%! f(1 bsl 40) ==> error timeout_value
-module(after_bad).
-export([f/1]).
f(T) -> receive x -> x after T -> y end.
