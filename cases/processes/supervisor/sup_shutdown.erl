%% Children are stopped in the reverse of their order; who does not end in time, or is not asked, is killed.
%%! order([a, b, c]) ==> {shutdown,[{ended,c,shutdown},{ended,b,shutdown},{ended,a,shutdown}]}
%%! stubborn(20)     ==> {shutdown,killed,[{refused,s,shutdown}]}
%%! brutal()         ==> {shutdown,killed,[]}
%%! significant()    ==> {shutdown,[{ended,b,shutdown}]}
-module(sup_shutdown).
-behaviour(supervisor).
-export([order/1, stubborn/1, brutal/0, significant/0, init/1, start_child/3]).
init(Result) -> Result.
start_child(Id, How, To) ->
    P = spawn_link(fun() -> process_flag(trap_exit, true), To ! {Id, ready}, loop(Id, How, To) end),
    receive after 0 -> {ok, P} end.
loop(Id, polite, To) -> receive {'EXIT', _, Why} -> To ! {ended, Id, Why}; leave -> ok end;
loop(Id, stubborn, To) -> receive {'EXIT', _, Why} -> To ! {refused, Id, Why}, loop(Id, stubborn, To) end.
spec(Id, How, Shutdown) -> #{id => Id, start => {?MODULE, start_child, [Id, How, self()]}, shutdown => Shutdown}.
start(Specs) -> start(#{}, Specs).
start(Flags, Specs) ->
    process_flag(trap_exit, true),
    {ok, Sup} = supervisor:start_link(?MODULE, {ok, {Flags, Specs}}),
    [receive {Id, ready} -> ok end || #{id := Id} <- Specs],
    Sup.
stop(Sup) -> exit(Sup, shutdown), receive {'EXIT', Sup, Why} -> Why end.
log() -> receive M -> [M | log()] after 0 -> [] end.
order(Ids) -> Sup = start([spec(Id, polite, 1000) || Id <- Ids]), {stop(Sup), log()}.
stubborn(Time) ->
    Sup = start([spec(s, stubborn, Time)]),
    [{s, P, _, _}] = supervisor:which_children(Sup),
    R = monitor(process, P),
    Why = stop(Sup),
    receive {'DOWN', R, _, _, End} -> {Why, End, log()} end.
brutal() ->
    Sup = start([spec(s, stubborn, brutal_kill)]),
    [{s, P, _, _}] = supervisor:which_children(Sup),
    R = monitor(process, P),
    Why = stop(Sup),
    receive {'DOWN', R, _, _, End} -> {Why, End, log()} end.
significant() ->
    Specs = [(spec(a, polite, 1000))#{restart => transient, significant => true}, spec(b, polite, 1000)],
    Sup = start(#{auto_shutdown => any_significant}, Specs),
    {a, P, _, _} = lists:keyfind(a, 1, supervisor:which_children(Sup)),
    P ! leave,
    receive {'EXIT', Sup, Why} -> {Why, log()} end.
