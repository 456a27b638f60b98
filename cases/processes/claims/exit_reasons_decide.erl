%% What an exit signal does, and whether an end is a failure, depends on the reason, which is an input.
%%? ended/1: finds error:alive for (normal); failures = 1; exhausts
%%? survives/1: finds error:{badmatch, false} for (kill); failures = 1; exhausts
%%? unseen/1: finds exit:Reason for (Reason) when Reason =/= normal, Reason =/= shutdown; failures = 1; exhausts
-module(exit_reasons_decide).
-export([ended/1, survives/1, unseen/1]).

-spec ended(atom()) -> ok.
ended(Reason) ->
    P = spawn(fun() -> receive never -> ok end end),
    exit(P, Reason),
    receive after 10 -> ok end,
    case is_process_alive(P) of
        true -> error(alive);
        false -> ok
    end.

-spec survives(atom()) -> ok.
survives(Reason) ->
    P = spawn(fun() -> process_flag(trap_exit, true), receive never -> ok end end),
    receive after 1 -> ok end,
    exit(P, Reason),
    receive after 10 -> ok end,
    true = is_process_alive(P),
    ok.

-spec unseen(atom()) -> ok.
unseen(Reason) ->
    spawn(fun() -> exit(Reason) end),
    receive after 10 -> ok end,
    ok.
