%% A function over a list, each element in a process of its own, results in order, errors with their elements.
%%! squares([1, 2, 3, 4])       ==> [1,4,9,16]
%%! squares([])                 ==> []
%%! inverses([1, 0, 2, x])      ==> [10,{error,badarith},5,{error,badarith}]
%%! limited(2, [5, 4, 3, 2, 1]) ==> [{5,5},{4,4},{3,3},{2,2},{1,1}]
-module(parallel_map).
-export([squares/1, inverses/1, limited/2]).
squares(L) -> pmap(fun(X) -> X * X end, L).
inverses(L) -> pmap(fun(X) -> 10 div X end, L).
pmap(F, L) -> [joined(M) || M <- [started(F, X) || X <- L]].
started(F, X) -> spawn_monitor(fun() -> exit({result, F(X)}) end).
joined({P, R}) ->
    receive
        {'DOWN', R, process, P, {result, Y}} -> Y;
        {'DOWN', R, process, P, {Why, _}} -> {error, Why}
    end.
%% Never more than so many at a time.
limited(Max, L) -> limited(Max, L, [], []).
limited(_, [], [], Done) -> lists:reverse(Done);
limited(Max, [X | L], Running, Done) when length(Running) < Max -> limited(Max, L, Running ++ [started(fun(Y) -> {Y, Y} end, X)], Done);
limited(Max, L, [First | Running], Done) -> limited(Max, L, Running, [joined(First) | Done]).
