%% Processes that the runtime has, as far as they are run here, and what processes do that have no stack.
-module(beagle_processes).
-file("beagle_processes.erl", 1).

-export([awake/3, awake_main/3, init/1, keep/3, start/1]).

%% `erlang:hibernate/3`: the process begins here anew.
awake(Module, Function, Args) ->
    beagle_process:await_message(),
    apply(Module, Function, Args).

%% Likewise of the process that calls the tested function: nobody is left who could take its result.
awake_main(Module, Function, Args) ->
    awake(Module, Function, Args),
    beagle_process:forgotten().

%% Starts the process of that name.
start(Name) ->
    Started = make_ref(),
    spawn(beagle_processes, keep, [Name, self(), Started]),
    receive Started -> ok end.

%% The parent of such a process. It never ends.
keep(Name, Starter, Started) ->
    beagle_process:stand_in(),
    {ok, _} = start_link(Name),
    Starter ! Started,
    receive {never, Started} -> ok end.

start_link(global_name_server) -> gen_server:start_link({local, global_name_server}, global, [], []);
start_link(Supervisor) -> supervisor:start_link({local, Supervisor}, beagle_processes, []).

init([]) ->
    {ok, {#{strategy => one_for_one, intensity => 4, period => 3600}, []}}.
