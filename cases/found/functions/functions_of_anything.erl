%% What nobody declares becomes a function once the program applies it or asks for one.
%%? applied/1: finds error:bug; finds error:{badfun,_}; failures = 2
%%? asked/1: finds error:bug within 20 runs; failures = 1
%%? counted/2: finds error:two; finds error:three; failures = 2
%%? deep/1 with max 100: finds error:bug; failures = 1
-module(functions_of_anything).
-export([applied/1, asked/1, counted/2, deep/1]).

applied(F) ->
    case F(1) of
        {yes, 5} -> error(bug);
        _ -> ok
    end.

asked(F) when is_function(F, 2) ->
    case F(a, b) of
        c -> error(bug);
        _ -> ok
    end;
asked(_) ->
    ok.

-spec counted(function(), 2 | 3) -> any().
counted(F, 2) ->
    case F(0, 0) of
        2 -> error(two);
        _ -> ok
    end;
counted(F, 3) ->
    case F(0, 0, 0) of
        3 -> error(three);
        _ -> ok
    end.

deep({handlers, [{init, F} | _]}) when is_function(F, 1) ->
    case F(start) of
        {error, _} -> error(bug);
        _ -> ok
    end;
deep(_) ->
    ok.
