%% Places that are easily taken for unreachable. No proof may say so of a line that ends in a remark.
-module(alike).
-export([two/2, made/1, joined/3, booted/0]).
-on_load(boot/0).

%% Functions that take as many arguments need not be the same.
-spec two(fun(() -> ok), fun(() -> ok)) -> same | other.
two(F, F) -> same;
two(_, _) ->
    other. % reachable

%% Functions that are made at one place are the same if what they hold is.
-spec made(integer()) -> same | other.
made(X) ->
    case holding(X) =:= holding(5) of
        true ->
            same; % reachable
        false ->
            other
    end.

holding(X) -> fun() -> X end.

%% The word names a function of Beagle's own, which joins lists that are not empty.
-spec joined(integer(), [integer()], [integer()]) -> term().
joined(K, A, B) ->
    Rare = erlang:phash2(K, 1000003) =:= 77,
    case A ++ B of
        [] when Rare ->
            nothing; % reachable
        _ ->
            append_to_tuple
    end.

%% Whoever loads the module calls this one.
boot() ->
    persistent_term:put(alike, booted), % reachable
    ok.

-spec booted() -> term().
booted() -> persistent_term:get(alike).
