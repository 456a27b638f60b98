%% What a trapped exit says decides what happens next; one code is not thought of.
%%? watch/1: finds error:{case_clause, {code, 13}} for ({code, 13}); failures = 1; exhausts
%%? normal_or_not/1: clean; exhausts
-module(codes_of_exits).
-export([watch/1, normal_or_not/1]).

-spec watch(normal | shutdown | {code, 0..20}) -> atom().
watch(Reason) ->
    process_flag(trap_exit, true),
    P = spawn_link(fun() -> exit(Reason) end),
    receive
        {'EXIT', P, Why} ->
            case Why of
                normal -> ended;
                shutdown -> stopped;
                {code, N} when N < 13 -> low;
                {code, N} when N > 13 -> high
            end
    end.

-spec normal_or_not(atom()) -> ok.
normal_or_not(Reason) ->
    Me = self(),
    {P, R} = spawn_monitor(fun() -> C = spawn_link(fun() -> receive go -> exit(Reason) end end), C ! go,
                                    M = monitor(process, C), receive {'DOWN', M, _, _, _} -> Me ! {self(), survived} end end),
    receive
        {P, survived} -> normal = Reason, ok;
        {'DOWN', R, _, _, Why} -> true = Why =:= Reason, ok
    end.
