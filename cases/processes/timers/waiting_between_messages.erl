%% A timeout counts from the start of its receive; a message that comes in time wins, others do not stop it.
%%! in_time()             ==> in_time
%%! too_late()            ==> {too_late,hello}
%%! others_do_not_count() ==> {timeout,[10,30]}
%%! zero_looks_once()     ==> {none,a,none}
%%! restarted()           ==> {ticks,3}
%%! nested()              ==> {timeout,inner,timeout}
-module(waiting_between_messages).
-export([in_time/0, too_late/0, others_do_not_count/0, zero_looks_once/0, restarted/0, nested/0]).
later(Time, M) ->
    Me = self(),
    spawn(fun() -> receive after Time -> Me ! M end end).
in_time() -> later(10, hello), receive hello -> in_time after 500 -> too_late end.
too_late() -> later(200, hello), First = receive hello -> in_time after 20 -> too_late end, {First, receive M -> M end}.
others_do_not_count() ->
    [later(T, {other, T}) || T <- [10, 30]],
    R = receive hello -> hello after 100 -> timeout end,
    {R, lists:sort([receive {other, T} -> T end || _ <- [1, 2]])}.
zero_looks_once() ->
    self() ! a,
    {receive b -> b after 0 -> none end, receive a -> a after 0 -> none end, receive a -> a after 0 -> none end}.
restarted() -> [later(T, {tick, T}) || T <- [40, 80, 120]], ticks(0).
ticks(N) -> receive {tick, _} -> ticks(N + 1) after 300 -> {ticks, N} end.
nested() ->
    later(30, inner),
    receive outer -> outer
    after 10 ->
        receive inner -> receive never -> never after 10 -> {timeout, inner, timeout} end
        after 500 -> no_inner
        end
    end.
