%% What is caught may be raised again as something else; what is not caught goes on.
%%! run(1) ==> error {wrapped,one}
%%! run(2) ==> exit two
%%! run(3) ==> ok
%%? run/1: finds error:{wrapped,one} for (1); finds exit:two for (2); failures = 2; exhausts; runs = 4
-module(catch_and_rethrow).
-export([run/1]).

-spec run(integer()) -> ok.
run(N) ->
    try step(N)
    catch
        throw:Reason -> error({wrapped, Reason});
        error:three -> ok
    end.

step(1) -> throw(one);
step(2) -> exit(two);
step(3) -> error(three);
step(_) -> ok.
