%% Rounding errors are the usual ones.
%%! f()          ==> {0.30000000000000004,false,1.0e16,1.0,0.9999999999999999}
%%! harmonic(10) ==> 2.9289682539682538
%%! newton(2.0)  ==> 1.414213562373095
-module(classic_sums).
-export([f/0, harmonic/1, newton/1]).
f() -> {0.1 + 0.2, 0.1 + 0.2 =:= 0.3, 1.0e16 + 1.0, 1 / 3 * 3, lists:sum(lists:duplicate(10, 0.1))}.
harmonic(N) -> lists:sum([1 / K || K <- lists:seq(1, N)]).
newton(X) -> lists:foldl(fun(_, G) -> (G + X / G) / 2 end, X, lists:seq(1, 6)).
