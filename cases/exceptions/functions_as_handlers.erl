%% A generic wrapper that reports outcomes as values.
%%! [run(N) || N <- [1, 2, 3, 4]] ==> [{returned,1},{throw,2},{error,3},{exit,4}]
-module(functions_as_handlers).
-export([run/1]).
run(N) -> outcome(fun() -> job(N) end).
outcome(F) ->
    try F() of V -> {returned, V}
    catch C:R -> {C, R}
    end.
job(1) -> 1;
job(2) -> throw(2);
job(3) -> error(3);
job(4) -> exit(4).
