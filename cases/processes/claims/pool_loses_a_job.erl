%% A pool of two workers forgets what it was told while both were busy, if the job is urgent.
%%? run/1 with bound 3: finds error:{badmatch, _} for ([_, _, _]); failures = 1
-module(pool_loses_a_job).
-export([run/1]).

-spec run([{plain | urgent, 0..9}]) -> ok.
run(Jobs) ->
    Me = self(),
    Pool = spawn_link(fun() -> pool(Me, [worker() || _ <- [1, 2]], [], length(Jobs)) end),
    [Pool ! {job, J} || J <- Jobs],
    Pool ! go,
    Results = receive {results, Rs} -> Rs end,
    true = length(Results) =:= length(Jobs),
    ok.

worker() -> spawn_link(fun Loop() -> receive {work, Pool, {_, N}} -> Pool ! {done, self(), N * N}, Loop() end end).
%% Jobs wait while no worker is free; an urgent one takes the place of the queue instead of its head.
pool(Me, Free, Queue, Left) ->
    receive
        {job, J} when Free =/= [] -> [W | Ws] = Free, W ! {work, self(), J}, pool(Me, Ws, Queue, Left);
        {job, {urgent, _} = J} -> pool(Me, Free, [J], Left - 1);
        {job, J} -> pool(Me, Free, Queue ++ [J], Left);
        go -> Me ! {results, finish(Queue, Left, [])}
    end.
finish(_, 0, Done) -> Done;
finish(Queue, Left, Done) ->
    receive
        {done, W, R} when Queue =/= [] -> W ! {work, self(), hd(Queue)}, finish(tl(Queue), Left - 1, [R | Done]);
        {done, _, R} -> finish(Queue, Left - 1, [R | Done])
    end.
