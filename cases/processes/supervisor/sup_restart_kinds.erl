%% permanent children are always started again, transient ones after an abnormal end, temporary ones never.
%%! ended(permanent, normal)        ==> {again,[{kid,true,false}],1}
%%! ended(permanent, crash)         ==> {again,[{kid,true,false}],1}
%%! ended(transient, normal)        ==> {not_again,[{kid,false,false}],0}
%%! ended(transient, shutdown)      ==> {not_again,[{kid,false,false}],0}
%%! ended(transient, {shutdown, x}) ==> {not_again,[{kid,false,false}],0}
%%! ended(transient, crash)         ==> {again,[{kid,true,false}],1}
%%! ended(temporary, normal)        ==> {not_again,[],0}
%%! ended(temporary, crash)         ==> {not_again,[],0}
-module(sup_restart_kinds).
-behaviour(supervisor).
-export([ended/2, init/1, start_child/1]).
init({Restart, To}) -> {ok, {{one_for_one, 2, 10}, [{kid, {?MODULE, start_child, [To]}, Restart, brutal_kill, worker, [?MODULE]}]}}.
start_child(To) -> To ! started, {ok, spawn_link(fun() -> receive Why -> exit(Why) end end)}.
ended(Restart, Why) ->
    {ok, Sup} = supervisor:start_link(?MODULE, {Restart, self()}),
    receive started -> ok end,
    [{kid, P, _, _}] = supervisor:which_children(Sup),
    R = monitor(process, P),
    P ! Why,
    receive {'DOWN', R, _, _, _} -> ok end,
    Counts = supervisor:count_children(Sup),
    Children = [{Id, is_pid(Kid), Kid =:= P} || {Id, Kid, _, _} <- supervisor:which_children(Sup)],
    {receive started -> again after 0 -> not_again end, Children, proplists:get_value(active, Counts)}.
