%% Shifting far right gives 0 or -1; shifting far left is a system limit.
%%! right(1)  ==> {0,0,0}
%%! right(-1) ==> {-1,-1,-1}
%%! left()    ==> error system_limit
-module(huge_shift).
-export([right/1, left/0]).
right(X) -> {X bsr 1000, X bsr (1 bsl 64), X bsl -(1 bsl 70)}.
left() -> 1 bsl (1 bsl 64).
