%% The time to wait for a message must not be negative.
%%! wait(0)  ==> done
%%! wait(-1) ==> error timeout_value
%%? wait/1 with max 50: finds error:timeout_value for (T) when T < 0; failures = 1
-module(negative_timeout).
-export([wait/1]).

-spec wait(-10..10) -> done.
wait(T) -> receive after T -> done end.
