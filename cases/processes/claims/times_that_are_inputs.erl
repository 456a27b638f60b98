%% How long a receive waits may be an input: who comes first is a decision then. Times are far enough apart for a busy
%% computer.
%%? before/1: finds error:came for (T) when T > 3; failures = 1; incomplete
%%? outlives/1: finds error:ended for (T) when T < 3; failures = 1
%%? first/2: finds error:second for (A, B) when A > B; failures = 1; incomplete
%%? wrong/1: finds error:timeout_value for (T) when T > 4294967295; failures = 1; exhausts
-module(times_that_are_inputs).
-export([before/1, outlives/1, first/2, wrong/1]).

-spec before(0..5) -> ok.
before(Time) ->
    erlang:send_after(300, self(), came),
    receive came -> error(came) after 100 * Time -> ok end.

-spec outlives(0..5) -> ok.
outlives(Time) ->
    P = spawn(fun() -> receive after 100 * Time -> ok end end),
    receive after 300 -> ok end,
    case is_process_alive(P) of
        true -> ok;
        false -> error(ended)
    end.

-spec first(0..5, 0..5) -> ok.
first(A, B) ->
    Me = self(),
    spawn(fun() -> receive after 100 * A -> Me ! first end end),
    spawn(fun() -> receive after 100 * B + 50 -> Me ! second end end),
    receive
        first -> ok;
        second -> error(second)
    end.

-spec wrong(non_neg_integer()) -> ok.
wrong(Time) -> receive after Time -> ok end.
