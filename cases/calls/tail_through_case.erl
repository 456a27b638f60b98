%% The last call of a case branch, an if, a begin or an orelse is a tail call.
%%! f(300000) ==> done
%%! g(300000) ==> true
-module(tail_through_case).
-export([f/1, g/1]).
f(N) ->
    case N rem 3 of
        0 when N =:= 0 -> done;
        0 -> begin M = N - 1, f(M) end;
        1 -> if N > 0 -> f(N - 1) end;
        _ -> f(N - 1)
    end.
g(N) -> N =:= 0 orelse g(N - 1).
