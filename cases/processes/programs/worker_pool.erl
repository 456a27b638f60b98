%% A pool hands out jobs to workers that are free; each job is done once, results are sorted by job.
%%! run(3, 10)                   ==> [{1,7},{2,14},{3,21},{4,28},{5,35},{6,42},{7,49},{8,56},{9,63},{10,70}]
%%! run(1, 3)                    ==> [{1,7},{2,14},{3,21}]
%%! crashing(2, [1, 0, 2, 0, 4]) ==> [{1,100},{2,{failed,badarith}},{3,50},{4,{failed,badarith}},{5,25}]
-module(worker_pool).
-export([run/2, crashing/2]).
run(Workers, Jobs) -> pool(Workers, lists:seq(1, Jobs), fun(J) -> J * 7 end).
crashing(Workers, Jobs) -> pool(Workers, Jobs, fun(J) -> 100 div J end).
pool(Count, Jobs, Work) ->
    Queue = lists:zip(lists:seq(1, length(Jobs)), Jobs),
    Workers = [start(Work) || _ <- lists:seq(1, Count)],
    Results = loop(Queue, Workers, #{}, Work, []),
    lists:sort(Results).
start(Work) -> Me = self(), spawn_monitor(fun() -> worker(Me, Work) end).
worker(Pool, Work) -> receive {job, K, J} -> Pool ! {done, self(), K, Work(J)}, worker(Pool, Work); stop -> ok end.
loop([], Free, Busy, _, Results) when map_size(Busy) =:= 0 -> [P ! stop || {P, _} <- Free], Results;
loop([{K, J} | Queue], [{P, _} = W | Free], Busy, Work, Results) -> P ! {job, K, J}, loop(Queue, Free, Busy#{P => {K, W}}, Work, Results);
loop(Queue, Free, Busy, Work, Results) ->
    receive
        {done, P, K, Result} -> #{P := {K, W}} = Busy, loop(Queue, [W | Free], maps:remove(P, Busy), Work, [{K, Result} | Results]);
        {'DOWN', _, process, P, {Why, _}} -> #{P := {K, _}} = Busy, loop(Queue, [start(Work) | Free], maps:remove(P, Busy), Work, [{K, {failed, Why}} | Results])
    end.
