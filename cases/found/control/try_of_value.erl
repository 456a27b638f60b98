%% The clauses behind `of` are decisions about the value.
%%! answer(42) ==> error answer
%%! answer(41) ==> ok
%%? answer/1: finds error:answer for (42); failures = 1; exhausts; runs = 2
-module(try_of_value).
-export([answer/1]).

answer(X) ->
    try id(X) of
        42 -> error(answer);
        _ -> ok
    catch
        throw:_ -> caught
    end.

id(X) -> X.
