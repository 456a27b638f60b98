%% Whether there is a function beside the one that was called is decided after the call.
%%? beside/1: finds error:bug
%%? listed/1: finds error:bug
-module(function_beside_function).
-export([beside/1, listed/1]).

beside(F) when is_function(F, 1) ->
    case F(fun(X) -> X end) of
        {A, B} when is_function(B, 1) ->
            case B(1) of
                2 when is_function(A, 1) ->
                    case B(3) of
                        4 -> error(bug);
                        _ -> ok
                    end;
                _ -> ok
            end;
        _ -> ok
    end.

listed(F) when is_function(F, 1) ->
    case F(fun(X) -> X end) of
        [A, B | C] when is_function(B, 0) ->
            case B() of
                2 when is_function(A, 1), is_function(C, 0) ->
                    case {A(0), C()} of
                        {7, 8} -> error(bug);
                        _ -> ok
                    end;
                _ -> ok
            end;
        _ -> ok
    end.
