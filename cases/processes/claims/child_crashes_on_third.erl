%% A child crashes on its third message; its supervisor allows one restart, so six messages end it.
%%? feed/1: finds error:supervisor_gone for (N) when N >= 6; failures = 1
-module(child_crashes_on_third).
-export([feed/1, init/1, start_child/0, child/1]).

-spec feed(0..8) -> ok.
feed(N) ->
    process_flag(trap_exit, true),
    {ok, Sup} = supervisor:start_link(?MODULE, []),
    fed(N, Sup).

fed(0, Sup) -> exit(Sup, shutdown), receive {'EXIT', Sup, shutdown} -> ok end;
fed(N, Sup) ->
    [{kid, P, _, _}] = supervisor:which_children(Sup),
    R = monitor(process, P),
    P ! {self(), N},
    receive
        {P, ok} -> demonitor(R, [flush]), fed(N - 1, Sup);
        {'DOWN', R, _, _, _} ->
            try supervisor:count_children(Sup) of
                _ -> fed(N - 1, Sup)
            catch
                exit:_ -> error(supervisor_gone)
            end
    end.
init([]) -> {ok, {#{intensity => 1, period => 10}, [#{id => kid, start => {?MODULE, start_child, []}, shutdown => brutal_kill}]}}.
start_child() -> {ok, proc_lib:spawn_link(?MODULE, child, [1])}.
child(3) -> receive _ -> exit(third) end;
child(K) -> receive {From, _} -> From ! {self(), ok}, child(K + 1) end.
