%% Small types are exhausted, and inputs stay in them.
%%! mix({left, 3}) ==> 3
%%! mix(none)      ==> -1
%%? mix/1: finds error:edge for ({left, 5}); failures = 1; exhausts
%%? age/1: clean; exhausts
-module(unions_and_ranges).
-export([mix/1, age/1]).

-spec mix({left, 1..5} | {right, boolean()} | none) -> integer().
mix({left, N}) when N >= 1, N < 5 -> N;
mix({left, 5}) -> error(edge);
mix({right, true}) -> 1;
mix({right, false}) -> 0;
mix(none) -> -1.

-spec age(0..150) -> child | adult | old.
age(N) when N < 18 -> child;
age(N) when N < 65 -> adult;
age(N) when N =< 150 -> old.
