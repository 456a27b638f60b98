%% Ends on purpose are no crashes: by exit, watched by somebody, or asked for.
%%? monitored/1: clean; exhausts
%%? trapped/1: clean; exhausts
%%? stopped/1: clean; exhausts
-module(child_ends_on_purpose).
-export([monitored/1, trapped/1, stopped/1]).

-spec monitored(integer()) -> {result, integer()}.
monitored(N) ->
    {P, R} = spawn_monitor(fun() -> exit({result, N * 2}) end),
    receive {'DOWN', R, process, P, Result} -> Result end.

-spec trapped(atom()) -> atom().
trapped(Why) ->
    process_flag(trap_exit, true),
    P = spawn_link(fun() -> exit(Why) end),
    receive {'EXIT', P, Got} -> Got end.

-spec stopped(boolean()) -> shutdown | killed.
stopped(IsHard) ->
    {P, R} = spawn_monitor(fun() -> receive never -> ok end end),
    exit(P, case IsHard of true -> kill; false -> shutdown end),
    receive {'DOWN', R, process, P, Why} -> Why end.
