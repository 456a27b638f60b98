%% catch _:_, catch _, and a bound class or reason.
%%! [f(K) || K <- [throw, error, exit]] ==> [{any,thrown},{any,not_thrown},{any,not_thrown}]
%%! g(error, r)                         ==> bound
%%! g(error, other)                     ==> {free,r}
-module(catch_all_forms).
-export([f/1, g/2]).
f(K) -> {try go(K) catch _:_ -> any end, try (try go(K) catch _ -> thrown end) catch _:_ -> not_thrown end}.
g(Class, Reason) -> try error(r) catch Class:Reason -> bound; error:R -> {free, R} end.
go(throw) -> throw(r);
go(error) -> error(r);
go(exit) -> exit(r).
