%% An argument that is a function must be called twice before its answers tell it from the others.
%%? unit/1 with max 300: finds error:bug within 200 runs; failures = 1
-module(asks_twice).
-export([unit/1]).

-spec unit(fun((fun((integer()) -> integer())) -> integer())) -> integer().
unit(F) ->
    case F(fun(1) -> 10; (2) -> 20; (_) -> 0 end) of
        30 ->
            case F(fun(1) -> 10; (2) -> 21; (_) -> 0 end) of
                31 ->
                    case F(fun(1) -> 11; (2) -> 20; (_) -> 0 end) of
                        32 -> error(bug);
                        _ -> 3
                    end;
                _ -> 2
            end;
        _ ->
            1
    end.
