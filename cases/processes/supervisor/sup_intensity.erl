%% A supervisor whose children end too often gives up: it stops the others and ends with shutdown.
%%! within(2, 2)    ==> {[crashed,crashed],2}
%%! beyond(2, 3)    ==> {[crashed,crashed,crashed],shutdown,shutdown}
%%! beyond(0, 1)    ==> {[crashed],shutdown,shutdown}
%%! period_passes() ==> 2
%%! escalates()     ==> {[crashed,crashed],shutdown}
-module(sup_intensity).
-behaviour(supervisor).
-export([within/2, beyond/2, period_passes/0, escalates/0, init/1, start_child/2, start_inner/1]).
init({flags, Intensity, Period, To}) ->
    {ok, {#{intensity => Intensity, period => Period}, [child(crasher, To), child(bystander, To)]}};
init({outer, To}) ->
    {ok, {#{intensity => 1, period => 10}, [#{id => inner, start => {?MODULE, start_inner, [To]}, type => supervisor}]}}.
child(Id, To) -> #{id => Id, start => {?MODULE, start_child, [Id, To]}}.
start_inner(To) -> supervisor:start_link(?MODULE, {flags, 0, 10, To}).
start_child(Id, To) ->
    Sup = self(),
    P = spawn_link(fun() -> process_flag(trap_exit, true), Sup ! {self(), ready}, receive crash -> exit(crashed); {'EXIT', _, Why} -> To ! {Id, Why}, exit(Why) end end),
    receive {P, ready} -> To ! {started, Id, P} end,
    {ok, P}.
started(Id) -> receive {started, Id, P} -> P end.
crash() ->
    P = started(crasher),
    R = monitor(process, P),
    P ! crash,
    receive {'DOWN', R, _, _, Why} -> Why end.
start(Args) -> process_flag(trap_exit, true), {ok, Sup} = supervisor:start_link(?MODULE, Args), Sup.
within(Intensity, Crashes) ->
    Sup = start({flags, Intensity, 10, self()}),
    Whys = [crash() || _ <- lists:seq(1, Crashes)],
    started(crasher),
    {Whys, proplists:get_value(active, supervisor:count_children(Sup))}.
beyond(Intensity, Crashes) ->
    Sup = start({flags, Intensity, 10, self()}),
    Whys = [crash() || _ <- lists:seq(1, Crashes)],
    receive {'EXIT', Sup, Why} -> {Whys, Why, receive {bystander, W} -> W end} end.
period_passes() ->
    Sup = start({flags, 1, 1, self()}),
    crash(),
    timer:sleep(2100),
    crash(),
    started(crasher),
    proplists:get_value(active, supervisor:count_children(Sup)).
escalates() ->
    Sup = start({outer, self()}),
    Whys = [crash(), crash()],
    receive {'EXIT', Sup, Why} -> {Whys, Why} end.
