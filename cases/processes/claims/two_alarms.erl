%% Two alarms ring by their times; the second may come first.
%%? order/2: finds error:second_first for (A, B) when B < A; failures = 1
%%? sorted/1 with bound 3: clean
-module(two_alarms).
-export([order/2, sorted/1]).

-spec order(0..3, 0..3) -> ok.
order(A, B) ->
    erlang:send_after(A * 60, self(), first),
    erlang:send_after(B * 60, self(), second),
    receive
        first -> receive second -> ok end;
        second -> error(second_first)
    end.

-spec sorted([1..3]) -> ok.
sorted(Times) ->
    Me = self(),
    [spawn(fun() -> receive after T * 60 -> Me ! {rang, T} end end) || T <- Times],
    Rang = [receive {rang, T} -> T end || _ <- Times],
    true = Rang =:= lists:sort(Times),
    ok.
