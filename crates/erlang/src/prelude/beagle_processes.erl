%% Processes that the runtime has, as far as they are run here, and what processes do that have no stack.
-module(beagle_processes).
-file("beagle_processes.erl", 1).

-export([after_start/3, awake/3, init/1, keep/3, on_stack/1]).

%% `erlang:hibernate/3`: the process begins here anew.
awake(Module, Function, Args) ->
    beagle_process:await_message(),
    apply(Module, Function, Args).

%% `erlang:process_info(self(), Item)`.
on_stack(Item) ->
    try error(on_stack)
    catch
        error:on_stack:Trace -> {Item, on_stack(Item, tl(Trace))}
    end.

on_stack(current_stacktrace, Callers) -> Callers;
on_stack(current_function, [{M, F, Args, _} | _]) when is_list(Args) -> {M, F, length(Args)};
on_stack(current_function, [{M, F, Arity, _} | _]) -> {M, F, Arity};
on_stack(current_function, []) -> undefined;
on_stack(current_location, [{M, F, Args, Place} | _]) when is_list(Args) -> {M, F, length(Args), Place};
on_stack(current_location, [Caller | _]) -> Caller;
on_stack(current_location, []) -> undefined.

%% Calls a function of `erlang` when the process of that name is there.
after_start(Name, Function, Args) ->
    Started = make_ref(),
    spawn(beagle_processes, keep, [Name, self(), Started]),
    receive Started -> ok end,
    apply(erlang, Function, Args).

%% The parent of such a process. It never ends.
keep(Name, Starter, Started) ->
    {ok, _} = start(Name),
    Starter ! Started,
    receive {never, Started} -> ok end.

start(kernel_safe_sup) -> supervisor:start_link({local, kernel_safe_sup}, beagle_processes, []);
start(global_name_server) -> gen_server:start_link({local, global_name_server}, global, [], []).

init([]) ->
    {ok, {#{strategy => one_for_one, intensity => 4, period => 3600}, []}}.
