%% A function input may raise where somebody catches it; what nobody catches is not the unit's fault.
%%? catches/1: finds error:badarith; failures = 1; exhausts
%%? cleans_up/1: finds error:leaked; failures = 1
%%? lets_through/1: clean; exhausts
-module(inputs_that_raise).
-export([catches/1, cleans_up/1, lets_through/1]).

-spec catches(fun((integer()) -> integer())) -> integer().
catches(F) ->
    try
        F(1)
    catch
        throw:{found, X} when is_integer(X) -> 10 div X;
        _:_ -> 0
    end.

-spec cleans_up(fun(() -> ok)) -> ok.
cleans_up(F) ->
    try F() of
        ok -> ok
    catch
        exit:stop -> error(leaked);
        _:_ -> ok
    end.

-spec lets_through(fun((integer()) -> integer())) -> integer().
lets_through(F) ->
    F(1) + F(2).
