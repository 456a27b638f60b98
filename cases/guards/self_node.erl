%% self() and node() may stand in guards.
%%! f()              ==> mine
%%! g(nonode@nohost) ==> here
%%! g(other)         ==> elsewhere
-module(self_node).
-export([f/0, g/1]).
f() -> check(self()).
check(P) when P =:= self(), is_pid(P) -> mine;
check(_) -> not_mine.
g(N) when N =:= node() -> here;
g(_) -> elsewhere.
