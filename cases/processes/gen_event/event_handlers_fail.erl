%% A handler that crashes or removes itself is gone; the manager and the other handlers stay.
%%! crashes(event)     ==> {[{event_handlers_fail,2}],2}
%%! crashes(call)      ==> {crashed,[{event_handlers_fail,2}]}
%%! removes_itself()   ==> [{event_handlers_fail,1}]
%%! bad_return()       ==> [{event_handlers_fail,2}]
%%! supervised_crash() ==> {crashed,[]}
%%! supervisor_dies()  ==> {{stop,over},[]}
-module(event_handlers_fail).
-behaviour(gen_event).
-export([crashes/1, removes_itself/0, bad_return/0, supervised_crash/0, supervisor_dies/0, init/1, handle_event/2, handle_call/2, terminate/2]).
init(S) -> {ok, S}.
handle_event({crash, K}, K) -> error(crashed);
handle_event({remove, K}, K) -> remove_handler;
handle_event({nonsense, K}, K) -> nonsense;
handle_event(_, S) -> {ok, S}.
handle_call(crash, _) -> error(crashed);
handle_call(get, S) -> {ok, S, S}.
terminate(Why, {tell, To}) -> To ! {terminated, short(Why)};
terminate(_, _) -> ok.
short({Kind, {'EXIT', {Why, [_ | _]}}}) -> {Kind, Why};
short(Why) -> Why.
start() ->
    {ok, M} = gen_event:start(),
    [ok = gen_event:add_handler(M, {?MODULE, K}, K) || K <- [1, 2]],
    M.
left(M) -> lists:sort(gen_event:which_handlers(M)).
crashes(event) -> M = start(), ok = gen_event:sync_notify(M, {crash, 1}), {left(M), gen_event:call(M, {?MODULE, 2}, get)};
crashes(call) ->
    M = start(),
    {error, {'EXIT', {Why, _}}} = gen_event:call(M, {?MODULE, 1}, crash),
    {Why, left(M)}.
removes_itself() -> M = start(), ok = gen_event:sync_notify(M, {remove, 2}), left(M).
bad_return() -> M = start(), ok = gen_event:sync_notify(M, {nonsense, 1}), left(M).
supervised_crash() ->
    {ok, M} = gen_event:start(),
    ok = gen_event:add_sup_handler(M, ?MODULE, 1),
    ok = gen_event:notify(M, {crash, 1}),
    receive {gen_event_EXIT, ?MODULE, {'EXIT', {Why, _}}} -> {Why, left(M)} end.
supervisor_dies() ->
    {ok, M} = gen_event:start(),
    Me = self(),
    {_, R} = spawn_monitor(fun() -> ok = gen_event:add_sup_handler(M, ?MODULE, {tell, Me}), exit(over) end),
    receive {'DOWN', R, _, _, over} -> ok end,
    receive {terminated, Why} -> {Why, left(M)} end.
