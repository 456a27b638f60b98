%% The functions of timer: sleeping, sending and calling later, once and again.
%%! sleep()      ==> {ok,true}
%%! send()       ==> [one,two]
%%! apply()      ==> {called,true}
%%! exits()      ==> [over,killed]
%%! interval()   ==> {[tick,tick,tick],{ok,cancel},true}
%%! cancelled()  ==> nothing
%%! bad_cancel() ==> {{error,badarg},{error,badarg},{error,badarg}}
%%! tc()         ==> {true,true,42,true,3,done}
%%! units()      ==> {2000,60000,3600000,3661000,1000000}
-module(timer_module).
-export([sleep/0, send/0, apply/0, exits/0, interval/0, cancelled/0, bad_cancel/0, tc/0, units/0, tell/2]).
tell(To, What) -> To ! {What, self() =/= To}.
sleep() ->
    T0 = erlang:monotonic_time(millisecond),
    Ok = timer:sleep(20),
    {Ok, erlang:monotonic_time(millisecond) - T0 >= 20}.
send() ->
    {ok, _} = timer:send_after(5, one),
    {ok, _} = timer:send_after(90, self(), two),
    [receive M -> M end || _ <- [1, 2]].
apply() ->
    {ok, _} = timer:apply_after(5, ?MODULE, tell, [self(), called]),
    receive {called, Elsewhere} -> {called, Elsewhere} end.
exits() ->
    [begin
         {P, R} = spawn_monitor(fun() -> receive never -> ok end end),
         {ok, _} = F(P),
         receive {'DOWN', R, _, _, Why} -> Why end
     end || F <- [fun(P) -> timer:exit_after(5, P, over) end, fun(P) -> timer:kill_after(5, P) end]].
interval() ->
    {ok, T} = timer:send_interval(10, tick),
    Ticks = [receive tick -> tick end || _ <- [1, 2, 3]],
    Cancelled = timer:cancel(T),
    timer:sleep(50),
    {Ticks, Cancelled, length(flushed()) =< 1}.
flushed() -> receive M -> [M | flushed()] after 0 -> [] end.
cancelled() ->
    {ok, T} = timer:send_after(30, late),
    {ok, cancel} = timer:cancel(T),
    receive late -> late after 80 -> nothing end.
bad_cancel() -> {timer:cancel(no_reference), timer:send_after(-1, x), timer:apply_after(x, m, f, [])}.
tc() ->
    {Time, Value} = timer:tc(fun(X) -> X + 1 end, [41]),
    {Time2, Value2} = timer:tc(lists, sum, [[1, 2]]),
    {is_integer(Time), Time >= 0, Value, Time2 >= 0, Value2, element(2, timer:tc(fun() -> done end))}.
units() -> {timer:seconds(2), timer:minutes(1), timer:hours(1), timer:hms(1, 1, 1), timer:now_diff({0, 1, 5}, {0, 0, 5})}.
