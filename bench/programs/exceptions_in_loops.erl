%% Stresses try, catch, after and throw: in every round, through several frames, and nested.
-module(exceptions_in_loops).
-export([main/1, size/0]).

size() -> 2400000.

main(N) -> loop(N, 0, 0, 0).

loop(0, Thrown, Errors, Cleaned) -> {Thrown, Errors, Cleaned};
loop(N, Thrown, Errors, Cleaned) ->
    try work(N, 5) of
        Value -> loop(N - 1, Thrown, Errors, Cleaned + Value)
    catch
        throw:{found, K} -> loop(N - 1, Thrown + K, Errors, Cleaned);
        error:badarith -> loop(N - 1, Thrown, Errors + 1, Cleaned);
        error:{badmatch, _} -> loop(N - 1, Thrown, Errors + 2, Cleaned)
    end.

work(N, 0) ->
    case N rem 5 of
        0 -> throw({found, N rem 7});
        1 -> N div zero(N);
        2 -> {ok, _} = zero(N);
        _ -> nested(N)
    end;
work(N, Depth) -> 0 + work(N, Depth - 1).

nested(N) ->
    try
        try throw({inner, N rem 3}) catch throw:{inner, 0} -> zero(N) after put(cleaned, N) end
    catch
        throw:{inner, K} -> K
    end.

zero(N) -> N - N.
