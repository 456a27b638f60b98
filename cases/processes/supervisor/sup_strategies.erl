%% Which children are started again when one ends: only it, all, or it and those behind it.
%%! restarted(one_for_one, b)  ==> {3,[{crashed,b},{started,b}],{same,[a,c]}}
%%! restarted(one_for_all, b)  ==> {3,[{crashed,b},{ended,c,shutdown},{ended,a,shutdown},{started,a},{started,b},{started,c}],{same,[]}}
%%! restarted(rest_for_one, b) ==> {3,[{crashed,b},{ended,c,shutdown},{started,b},{started,c}],{same,[a]}}
%%! restarted(rest_for_one, c) ==> {3,[{crashed,c},{started,c}],{same,[a,b]}}
%%! restarted(one_for_one, a)  ==> {3,[{crashed,a},{started,a}],{same,[b,c]}}
%%! order_of_starts()          ==> {[{started,a},{started,b},{started,c}],shutdown,[{ended,c,shutdown},{ended,b,shutdown},{ended,a,shutdown}]}
-module(sup_strategies).
-behaviour(supervisor).
-export([restarted/2, order_of_starts/0, init/1, start_child/2, child/2]).
init({Strategy, To}) ->
    {ok, {#{strategy => Strategy, intensity => 3, period => 10},
          [#{id => Id, start => {?MODULE, start_child, [Id, To]}, shutdown => 1000} || Id <- [a, b, c]]}}.
start_child(Id, To) -> To ! {started, Id}, proc_lib:start_link(?MODULE, child, [Id, To]).
child(Id, To) ->
    process_flag(trap_exit, true),
    proc_lib:init_ack({ok, self()}),
    receive
        crash -> To ! {crashed, Id}, exit(crashed);
        {'EXIT', _, Why} -> To ! {ended, Id, Why}, exit(Why)
    end.
pid(Sup, Id) -> {Id, P, worker, _} = lists:keyfind(Id, 1, supervisor:which_children(Sup)), P.
log() -> receive M -> [M | log()] after 0 -> [] end.
start(Strategy) ->
    {ok, Sup} = supervisor:start_link(?MODULE, {Strategy, self()}),
    Sup.
restarted(Strategy, Id) ->
    Sup = start(Strategy),
    First = log(),
    Before = [{K, pid(Sup, K)} || K <- [a, b, c]],
    {Id, P} = lists:keyfind(Id, 1, Before),
    R = monitor(process, P),
    P ! crash,
    receive {'DOWN', R, _, _, _} -> ok end,
    %% The supervisor has seen the end of its child before it answers.
    _ = supervisor:count_children(Sup),
    Same = [K || {K, Old} <- Before, pid(Sup, K) =:= Old],
    {length(First), log(), {same, Same}}.
order_of_starts() ->
    process_flag(trap_exit, true),
    Sup = start(one_for_one),
    First = log(),
    exit(Sup, shutdown),
    receive {'EXIT', Sup, Why} -> {First, Why, log()} end.
