%% Timers deliver in order of time, can be cancelled and read.
%%! order()     ==> [10,20,30]
%%! cancelled() ==> {true,true,false,false,none}
%%! wrapped()   ==> {a,b}
%%! unknown()   ==> {false,ok,ok}
%%! bad(-1)     ==> error badarg
%%! bad(a)      ==> error badarg
%%! named()     ==> hello
-module(timers).
-export([order/0, cancelled/0, wrapped/0, unknown/0, bad/1, named/0]).
order() ->
    [erlang:send_after(T, self(), T) || T <- [30, 10, 20]],
    [receive M -> M end || _ <- [1, 2, 3]].
cancelled() ->
    R = erlang:send_after(1000000, self(), never),
    Left = erlang:read_timer(R),
    Cancelled = erlang:cancel_timer(R),
    {Left > 900000, Cancelled > 900000, erlang:cancel_timer(R), erlang:read_timer(R), receive M -> M after 0 -> none end}.
wrapped() ->
    R = erlang:start_timer(5, self(), {a, b}),
    receive {timeout, R, M} -> M after 1000 -> late end.
unknown() -> {erlang:cancel_timer(make_ref()), erlang:cancel_timer(make_ref(), [{info, false}]),
    erlang:cancel_timer(make_ref(), [{async, true}, {info, false}])}.
bad(T) -> erlang:send_after(T, self(), x).
named() ->
    register(timers_case, self()),
    erlang:send_after(1, timers_case, hello),
    erlang:send_after(2, no_such_name, lost),
    M = receive X -> X after 1000 -> late end,
    unregister(timers_case),
    M.
