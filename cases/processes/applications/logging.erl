%% What is logged goes nowhere that a program can see, and stops nobody.
%%! levels()        ==> [ok,ok,ok,ok,ok,ok,ok,ok]
%%! formats()       ==> {ok,ok,ok,ok,ok,ok,ok}
%%! old_calls()     ==> {ok,ok,ok,ok,ok,ok}
%%! by_others()     ==> [ok,ok,ok]
%%! crash_reports() ==> [down,down,down,down,down,down]
-module(logging).
-include_lib("kernel/include/logger.hrl").
-export([levels/0, formats/0, old_calls/0, by_others/0, crash_reports/0]).
levels() -> [logger:Level("message") || Level <- [emergency, alert, critical, error, warning, notice, info, debug]].
formats() ->
    {logger:error("~p is ~s", [a, "b"]), logger:warning(#{a => 1}), logger:notice("~p", [x], #{meta => 1}), logger:log(error, "~w", [1]),
     ?LOG_ERROR("a macro ~p", [here]), ?LOG_INFO(#{report => true}), logger:info("wrong ~p ~p", [one])}.
old_calls() ->
    {error_logger:error_msg("~p", [a]), error_logger:info_msg("text"), error_logger:warning_msg("~p", [b]),
     error_logger:error_report([{a, 1}]), error_logger:info_report(x), error_logger:format("~p", [c])}.
by_others() ->
    Me = self(),
    Pids = [spawn(fun() -> Me ! {self(), logger:error("from ~p", [K])} end) || K <- [1, 2, 3]],
    [receive {P, Result} -> Result end || P <- Pids].
crash_reports() ->
    Fs = [fun() -> error(bug) end, fun() -> exit(why) end, fun() -> throw(ball) end],
    [begin {_, R} = Spawn(F), receive {'DOWN', R, _, _, _} -> down end end
     || F <- Fs, Spawn <- [fun(G) -> spawn_monitor(G) end, fun(G) -> proc_lib:spawn_opt(G, [monitor]) end]].
