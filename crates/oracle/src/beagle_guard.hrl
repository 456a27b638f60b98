%% The helper on guard: what evaluated code must not call, and whether it left the runtime as it was.
%%
%% Calls are traced. A trace message comes after the call, so a forbidden one may have been made when its process is
%% ended: the sandbox around the runtime makes sure that it did nothing.

stand_guard(Guard) ->
    case get(guard) of
        Guard ->
            ok;
        _ when Guard =:= none ->
            put(guard, none);
        _ ->
            _ = [forbid(Functions) || Functions <- Guard],
            put(guard, Guard),
            put(state, state())
    end.

%% Modules that are not loaded are not watched: what they do, they do by calling those that are always there.
forbid({all_of, Module, Except}) ->
    case erlang:module_loaded(Module) of
        true ->
            Functions = Module:module_info(exports),
            _ = [forbid_one(Module, F, A) || {F, A} <- Functions, F =/= module_info, not lists:member(F, Except)];
        false ->
            ok
    end;
forbid({one, Module, Function, Arity}) ->
    case erlang:module_loaded(Module) of
        true -> forbid_one(Module, Function, Arity);
        false -> ok
    end.

%% The message says who called.
forbid_one(Module, Function, Arity) ->
    erlang:trace_pattern({Module, Function, Arity}, [{'_', [], [{message, {caller}}]}], [global]).

%% The work begins when it is watched.
watched(Work, Watch) ->
    case {get(guard), get(outside)} of
        {none, undefined} when Watch =:= none -> Work;
        _ -> fun() -> receive begin_now -> Work() end end
    end.

%% A process has one tracer, so calls and processes are traced together.
watch(Pid, Watch) ->
    Calls = case {get(guard), get(outside)} of
                {none, undefined} -> [];
                {_, undefined} -> [call];
                _ -> [call, 'receive']
            end,
    Processes = case Watch of
                    none -> [];
                    _ -> [procs]
                end,
    case Calls ++ Processes of
        [] ->
            ok;
        Flags ->
            1 = erlang:trace(Pid, true, [set_on_spawn | Flags]),
            Pid ! begin_now
    end.

%% The answer, unless something forbidden was called before it was there.
forbidden_call(Answer) ->
    case {get(guard), get(outside)} of
        {none, undefined} ->
            {false, Answer};
        _ ->
            Delivered = erlang:trace_delivered(all),
            receive {trace_delivered, all, Delivered} -> ok end,
            case first_call(Answer) of
                {stopped, {Module, Function, Arguments}} ->
                    forget_traces(),
                    {true, encode({stopped, Module, Function, length(Arguments)})};
                _ ->
                    {false, Answer}
            end
    end.

first_call({stopped, Call}) ->
    {stopped, Call};
first_call(Answer) ->
    receive
        {trace, Pid, call, {_, _, _} = Call} -> outside_call(Pid, Call), first_call(Answer);
        {trace, Pid, return_from, _, Value} -> outside_end(Pid, {returned, Value}), first_call(Answer);
        {trace, Pid, exception_from, _, {Class, Reason}} ->
            outside_end(Pid, {raised, Class, Reason}),
            first_call(Answer);
        {trace, Pid, 'receive', Message} -> outside_message(Pid, Message), first_call(Answer);
        {trace, From, call, Call, Caller} ->
            case is_loading(Caller) orelse is_outside(From) of
                true -> first_call(Answer);
                false -> {stopped, Call}
            end
    after 0 ->
        Answer
    end.

forget_traces() ->
    receive
        {trace, _, _, _, _} -> forget_traces();
        {trace, _, _, _} -> forget_traces()
    after 0 ->
        ok
    end.

%% A module that is called for the first time is loaded by the process that calls it.
is_loading({code, _, _}) -> true;
is_loading({error_handler, _, _}) -> true;
is_loading({erl_prim_loader, _, _}) -> true;
is_loading({erlang, prepare_loading, _}) -> true;
is_loading({erlang, prepare_loading_1, _}) -> true;
is_loading(_) -> false.

%% --- What outlives an evaluation

%% Without a guard nobody asks.
is_changed() ->
    case get(guard) of
        none -> false;
        _ -> state() =/= get(state)
    end.

%% Processes with their names and group leaders, tables, persistent terms, ports, the environment of the system and of
%% applications, the logger, files. Modules that were loaded on demand do not count.
state() ->
    {[{P, process_info(P, [registered_name, group_leader])} || P <- lists:sort(processes()), P =/= get(sink)],
     lists:sort(ets:all()),
     [{Table, public_content(Table)} || Table <- ets:all(), ets:info(Table, protection) =:= public],
     %% Where events go, and the conductor, are ours.
     erlang:phash2([Pair || {Key, _} = Pair <- persistent_term:get(),
                            not lists:member(Key, [beagle_event, beagle_trace, beagle_conductor])]),
     erlang:ports(),
     erlang:phash2({os:env(), code:get_path(), logger:get_config(), prim_file:list_dir(".")}),
     nodes(known)}.

%% Where the code server notes applications is not the evaluated code's to change.
public_content(code_names) ->
    none;
public_content(Table) ->
    case ets:info(Table, size) of
        Size when is_integer(Size), Size < 10000 -> {Size, erlang:phash2(ets:tab2list(Table))};
        Size -> Size
    end.
