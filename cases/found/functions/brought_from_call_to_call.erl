%% A function that the unit handed out comes back in an answer, and goes into the next call.
%%? unit/1 with max 600: finds error:bug; finds error:badarith
-module(brought_from_call_to_call).
-export([unit/1]).

-spec unit(fun((any()) -> any())) -> ok.
unit(F) ->
    Kept = F(fun(X) -> X * 3 end),
    case F({use, Kept}) of
        {result, 21} ->
            case F({use, F(fun(X) -> X * 5 end)}) of
                {result, 35} -> error(bug);
                _ -> ok
            end;
        _ ->
            ok
    end.
