%% Alarms ring by their time, whoever set them and in whatever order.
%%! two()                          ==> [early,late]
%%! from_processes([250, 10, 120]) ==> [{rang,10},{rang,120},{rang,250}]
%%! chained(4)                     ==> [1,2,3,4]
%%! mixed()                        ==> [by_timer,by_sleep,by_timer_module]
-module(alarms_in_order).
-export([two/0, from_processes/1, chained/1, mixed/0]).
two() ->
    erlang:send_after(80, self(), late),
    erlang:send_after(10, self(), early),
    [receive M -> M end || _ <- [1, 2]].
from_processes(Times) ->
    Me = self(),
    [spawn(fun() -> receive after T -> Me ! {rang, T} end end) || T <- Times],
    [receive {rang, T} -> {rang, T} end || _ <- Times].
chained(N) ->
    Me = self(),
    spawn(fun() -> chain(Me, 1, N) end),
    [receive {link, K} -> K end || _ <- lists:seq(1, N)].
chain(Me, K, N) when K =< N -> erlang:send_after(5, self(), go), receive go -> Me ! {link, K}, chain(Me, K + 1, N) end;
chain(_, _, _) -> ok.
mixed() ->
    Me = self(),
    erlang:start_timer(30, self(), by_timer),
    spawn(fun() -> timer:sleep(120), Me ! by_sleep end),
    timer:send_after(250, by_timer_module),
    [receive {timeout, _, M} -> M; M -> M end || _ <- [1, 2, 3]].
