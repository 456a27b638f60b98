%% Functions that get functions that get functions, and functions that answer with functions.
%%? order_three/1 with max 400: finds error:bug; failures = 1
%%? curried/1: finds error:bug within 20 runs; failures = 1; exhausts
%%? returns_argument/1 with max 100: finds error:bug within 60 runs; failures = 1
-module(functions_of_functions).
-export([order_three/1, curried/1, returns_argument/1]).

-spec order_three(fun((fun((fun((integer()) -> integer())) -> integer())) -> integer())) -> integer().
order_three(F) ->
    case F(fun(G) -> G(3) + 1 end) of
        8 ->
            case F(fun(G) -> G(3) + G(3) end) of
                14 -> error(bug);
                _ -> 2
            end;
        _ ->
            1
    end.

-spec curried(fun((integer()) -> fun((integer()) -> integer()))) -> ok.
curried(F) ->
    case (F(1))(2) of
        12 ->
            case (F(2))(1) of
                21 -> error(bug);
                _ -> ok
            end;
        _ ->
            ok
    end.

-spec returns_argument(fun((fun((integer()) -> integer())) -> fun((integer()) -> integer()))) -> ok.
returns_argument(F) ->
    G = F(fun(X) -> X * 3 + 1 end),
    H = F(fun(X) -> X * 5 - 2 end),
    case {G(0), G(7), H(0), H(4)} of
        {1, 22, -2, 18} -> error(bug);
        _ -> ok
    end.
