%% Values keep what they stand for in the messages of timers, also when the timer is another process.
%%? sent/1: finds error:{late, 5} for (5); failures = 1; exhausts
%%? slept/1: finds error:{late, 5} for (5); failures = 1; incomplete
%%? timeout_or_message/1: finds error:timed_out for (false); failures = 1
-module(symbolic_through_timers).
-export([sent/1, slept/1, timeout_or_message/1]).

-spec sent(integer()) -> ok.
sent(N) ->
    R = erlang:start_timer(10, self(), {value, N}),
    receive {timeout, R, {value, 5}} -> error({late, 5}); {timeout, R, {value, _}} -> ok end.

-spec slept(integer()) -> ok.
slept(N) ->
    Me = self(),
    spawn(fun() -> timer:sleep(10), Me ! {value, N} end),
    receive {value, 5} -> error({late, 5}); {value, _} -> ok end.

-spec timeout_or_message(boolean()) -> ok.
timeout_or_message(IsSent) ->
    Me = self(),
    spawn(fun() -> IsSent andalso (Me ! hello) end),
    receive hello -> ok after 100 -> error(timed_out) end.
