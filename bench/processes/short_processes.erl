%% Stresses the beginning and the end of processes: many short ones, linked, monitored or on their own.
-module(short_processes).
-export([main/1, size/0]).

size() -> 200000.

main(N) ->
    process_flag(trap_exit, true),
    Me = self(),
    Sum = run(N, Me, 0),
    process_flag(trap_exit, false),
    {Sum, receive M -> M after 0 -> nothing end}.

run(0, _, Sum) -> Sum;
run(N, Me, Sum) ->
    X = case N rem 3 of
        0 -> P = spawn_link(fun() -> exit({n, N}) end), receive {'EXIT', P, {n, K}} -> K end;
        1 -> {P, R} = spawn_monitor(fun() -> exit({n, N}) end), receive {'DOWN', R, process, P, {n, K}} -> K end;
        2 -> P = spawn(fun() -> put(key, N), Me ! {self(), get(key)} end), receive {P, K} -> K end
    end,
    run(N - 1, Me, (Sum + X) band 16#ffffff).
