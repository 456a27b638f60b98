%% A timer can be cancelled and read by others too; its message does not come then.
%%! by_another()           ==> {true,false,nothing}
%%! read_by_another()      ==> {true,true,false}
%%! asynchronously()       ==> true
%%! asynchronously_quiet() ==> {ok,nothing}
%%! after_its_end()        ==> {on_time,false,false}
%%! absolute()             ==> [at_once,first,second]
-module(timers_cancelled).
-export([by_another/0, read_by_another/0, asynchronously/0, asynchronously_quiet/0, after_its_end/0, absolute/0]).
elsewhere(F) ->
    Me = self(),
    P = spawn(fun() -> Me ! {self(), F()} end),
    receive {P, Result} -> Result end.
left() -> receive M -> M after 0 -> nothing end.
is_time(T) -> is_integer(T) andalso T > 900000 andalso T =< 1000000.
by_another() ->
    T = erlang:send_after(1000000, self(), late),
    {is_time(elsewhere(fun() -> erlang:cancel_timer(T) end)), erlang:cancel_timer(T), left()}.
read_by_another() ->
    T = erlang:start_timer(1000000, self(), late),
    {is_time(elsewhere(fun() -> erlang:read_timer(T) end)), is_time(erlang:cancel_timer(T)), elsewhere(fun() -> erlang:read_timer(T) end)}.
asynchronously() ->
    T = erlang:send_after(1000000, self(), late),
    ok = erlang:cancel_timer(T, [{async, true}]),
    receive {cancel_timer, T, Left} -> is_time(Left) end.
asynchronously_quiet() ->
    T = erlang:send_after(1000000, self(), late),
    {erlang:cancel_timer(T, [{async, true}, {info, false}]), left()}.
after_its_end() ->
    T = erlang:send_after(1, self(), on_time),
    {receive M -> M end, erlang:cancel_timer(T), erlang:read_timer(T)}.
absolute() ->
    Now = erlang:monotonic_time(millisecond),
    erlang:send_after(Now + 40, self(), second, [{abs, true}]),
    erlang:send_after(Now + 10, self(), first, [{abs, true}]),
    erlang:send_after(Now - 1000, self(), at_once, [{abs, true}]),
    [receive M -> M end || _ <- [1, 2, 3]].
