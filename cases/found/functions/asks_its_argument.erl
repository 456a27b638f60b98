%% Two functions look alike until they are called: only an input that calls its argument can tell them apart.
%%? smaller/1 with max 60: finds error:bug within 20 runs; failures = 1
%%? ten/1 with max 60: finds error:bug within 20 runs; failures = 1
%%? zero_then_ten/1 with max 60: finds error:bug within 20 runs; failures = 1
-module(asks_its_argument).
-export([smaller/1, ten/1, zero_then_ten/1]).

-spec smaller(fun((fun((integer()) -> integer())) -> integer())) -> ok.
smaller(F) ->
    case F(fun(_) -> 1 end) < F(fun(Y) -> 2 * Y end) of
        true -> error(bug);
        false -> ok
    end.

-spec ten(fun((fun((integer()) -> integer())) -> integer())) -> integer().
ten(F) ->
    case F(fun(_) -> 4 end) + F(fun(Y) -> 2 * Y end) of
        10 ->
            F(fun(W) ->
                  case W of
                      2 -> error(bug);
                      _ -> -1
                  end
              end);
        _ ->
            0
    end.

-spec zero_then_ten(fun((fun((integer()) -> integer())) -> integer())) -> integer().
zero_then_ten(F) ->
    case F(fun(_) -> 4 end) of
        0 ->
            case F(fun(Y) -> 2 * Y end) of
                10 -> error(bug);
                _ -> 1
            end;
        _ ->
            0
    end.
