%% Functions that the code makes and hands to functions that call themselves.
-module(closures).
-export([own/1, arity/1, listed/1]).

-spec own(integer()) -> ok.
own(X) ->
    case walk(fun() -> X end, 3) of
        true ->
            io:format("a"); %! reached
        false ->
            ok
    end.

-spec arity(integer()) -> ok.
arity(X) ->
    F = fun(_) -> X end,
    case is_function(F, 1) of
        true ->
            io:format("b"); %! reached
        false ->
            ok
    end.

-spec listed(integer()) -> ok.
listed(X) ->
    case last([1, fun() -> X end]) of
        1 ->
            io:format("c"); %! unreachable
        F when is_function(F) ->
            io:format("d") %! reached
    end.

walk(F, 0) -> is_function(F);
walk(F, N) -> walk(F, N - 1).

last([Item]) -> Item;
last([_ | Items]) -> last(Items).
