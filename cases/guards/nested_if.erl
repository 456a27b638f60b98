%% Nested ifs and cases, whose guards may fail inside.
%%! f(1, [])  ==> empty
%%! f(1, [x]) ==> list
%%! f(0, x)   ==> x
%%! f(0, {})  ==> none
-module(nested_if).
-export([f/2]).
f(N, X) ->
    if
        N > 0, hd(X) =:= x -> list;
        N > 0 -> if length(X) =:= 0 -> empty; true -> nothing end;
        true -> case X of _ when element(1, X) =:= y -> y; _ when is_atom(X) -> X; _ -> none end
    end.
