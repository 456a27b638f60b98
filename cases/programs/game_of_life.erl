%% Life on an endless board as a set of cells.
%%! f(4) ==> [{1,3},{2,1},{2,3},{3,2},{3,3}]
-module(game_of_life).
-export([f/1]).
f(N) -> Glider = [{1, 0}, {2, 1}, {0, 2}, {1, 2}, {2, 2}], lists:sort(run(N, Glider)).
run(0, Cells) -> Cells;
run(N, Cells) -> run(N - 1, step(Cells)).
step(Cells) ->
    Near = [{X + DX, Y + DY} || {X, Y} <- Cells, DX <- [-1, 0, 1], DY <- [-1, 0, 1], {DX, DY} =/= {0, 0}],
    Counts = lists:foldl(fun(C, M) -> maps:update_with(C, fun(K) -> K + 1 end, 1, M) end, #{}, Near),
    [C || {C, K} <- maps:to_list(Counts), K =:= 3 orelse (K =:= 2 andalso lists:member(C, Cells))].
