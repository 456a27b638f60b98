%% Nobody sends what is waited for.
%%! wait(go) ==> ok
%%? wait/1: finds deadlock for (stay); failures = 1
-module(waits_for_ever).
-export([wait/1]).

-spec wait(go | stay) -> ok.
wait(go) -> ok;
wait(stay) -> receive never -> ok end.
