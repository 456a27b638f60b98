%% simple_one_for_one: children of one kind, started with arguments of their own, known by their pids.
%%! started() ==> {[{1,10},{2,20},{3,30}],[{undefined,true},{undefined,true},{undefined,true}],[{specs,1},{active,3},{supervisors,0},{workers,3}]}
%%! ended()   ==> {ok,ok,0}
%%! crashed() ==> {x,y,true,1}
%%! by_id()   ==> {{error,simple_one_for_one},{error,simple_one_for_one},{error,simple_one_for_one},[]}
%%! all_end() ==> {shutdown,[{1,shutdown},{2,shutdown},{3,shutdown}]}
-module(sup_simple).
-behaviour(supervisor).
-export([started/0, ended/0, crashed/0, by_id/0, all_end/0, init/1, start_child/3]).
init(To) -> {ok, {#{strategy => simple_one_for_one, intensity => 5}, [#{id => kid, start => {?MODULE, start_child, [To]}, restart => transient}]}}.
start_child(To, A, B) ->
    Sup = self(),
    P = spawn_link(fun() -> process_flag(trap_exit, true), Sup ! {self(), ready}, receive {ask, F} -> F ! {self(), A, B}, receive W -> exit(W) end;
                                    {'EXIT', _, Why} -> To ! {ended, A, Why}, exit(Why); Why -> exit(Why) end end),
    receive {P, ready} -> To ! {started, A, B, P} end,
    {ok, P}.
start() -> {ok, Sup} = supervisor:start_link(?MODULE, self()), Sup.
counts(Sup) -> supervisor:count_children(Sup).
started() ->
    Sup = start(),
    Kids = [begin {ok, P} = supervisor:start_child(Sup, [K, K * 10]), P end || K <- [1, 2, 3]],
    [P ! {ask, self()} || P <- Kids],
    {[receive {P, A, B} -> {A, B} end || P <- Kids], [{Id, is_pid(P)} || {Id, P, _, _} <- supervisor:which_children(Sup)], counts(Sup)}.
ended() ->
    Sup = start(),
    {ok, P} = supervisor:start_child(Sup, [1, 2]),
    {supervisor:terminate_child(Sup, P), supervisor:terminate_child(Sup, P), proplists:get_value(active, counts(Sup))}.
crashed() ->
    Sup = start(),
    {ok, P} = supervisor:start_child(Sup, [x, y]),
    receive {started, x, y, P} -> P ! crashed end,
    receive {started, A, B, Q} -> {A, B, P =/= Q, proplists:get_value(active, counts(Sup))} end.
by_id() ->
    Sup = start(),
    {supervisor:terminate_child(Sup, kid), supervisor:restart_child(Sup, kid), supervisor:delete_child(Sup, kid), supervisor:which_children(Sup)}.
all_end() ->
    process_flag(trap_exit, true),
    Sup = start(),
    [{ok, _} = supervisor:start_child(Sup, [K, x]) || K <- [1, 2, 3]],
    exit(Sup, shutdown),
    receive {'EXIT', Sup, Why} -> {Why, lists:sort([receive {ended, K, W} -> {K, W} end || _ <- [1, 2, 3]])} end.
