%% Functions stand in tuples, lists and maps of inputs, and in what inputs answer.
%%? in_tuple/1: finds error:bug within 20 runs; failures = 1
%%? in_list/1 with bound 3, max 200: finds error:bug; failures = 1
%%? in_map/1: finds error:bug within 20 runs; failures = 1
%%? answered/1: finds error:bug within 30 runs; failures = 1
%%? wrapped/1 with max 200: finds error:bug; failures = 1
-module(functions_in_data).
-export([in_tuple/1, in_list/1, in_map/1, answered/1, wrapped/1]).

-spec in_tuple({atom(), fun((integer()) -> integer())}) -> integer().
in_tuple({run, F}) ->
    case F(3) of
        17 -> error(bug);
        N -> N
    end;
in_tuple(_) ->
    0.

-spec in_list([fun((integer()) -> integer())]) -> integer().
in_list([F, G | _]) ->
    case {F(1), G(1)} of
        {1, 2} -> error(bug);
        _ -> 1
    end;
in_list(_) ->
    0.

-spec in_map(#{on_error := fun((atom()) -> ok | stop), retries := 0..3}) -> ok.
in_map(#{on_error := OnError, retries := 2}) ->
    case OnError(timeout) of
        stop -> error(bug);
        ok -> ok
    end;
in_map(_) ->
    ok.

-spec answered(fun((integer()) -> {ok, fun((integer()) -> integer())} | error)) -> ok.
answered(F) ->
    case F(1) of
        {ok, G} ->
            case G(5) of
                6 -> error(bug);
                _ -> ok
            end;
        error ->
            ok
    end.

-spec wrapped(fun((fun((integer()) -> integer())) -> {ok, fun((integer()) -> integer())})) -> ok.
wrapped(F) ->
    {ok, G} = F(fun(X) -> X * 7 end),
    {ok, H} = F(fun(X) -> X * 9 end),
    case {G(1), G(2), H(1), H(2)} of
        {7, 14, 9, 18} -> error(bug);
        _ -> ok
    end.
