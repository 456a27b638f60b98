%% The conductor on the real runtime: has processes do their operations one at a time, in a given order.
%%
%% A schedule is a list of {Process, Operation}. A process is the list of numbers that lead to it: [] is the process that
%% evaluates, [2, 1] the first that was started by the second that this one has started. Processes that were there before,
%% and those that they start, are not conducted. Where the processes want to do something else than the schedule says,
%% it ends, and everybody goes on as they like.
%%
%% An operation is granted when everybody else waits: so all that the one before has brought about, exit signals and the ends
%% of processes included, has happened. That everybody waits, and no timer is left, is also how the conductor knows that the
%% next operation never comes. No clock decides.
%%
%% What conducted code calls is here as well; of that, our own machine has rows for `ask`, `done`, `tell`, `plain` and `shown`.
-module(beagle_conductor).
-file("beagle_conductor.erl", 1).

-export([run/2, begin_play/1, begin_main/0, end_play/2, rest/0]).
-export([ask/1, ask/2, ask_if/3, ask_fun/2, done/0, tell/1, plain/1, shown/2, receiving/1, started/2, begin_process/4, begin_anew/3]).

%% As often a process is found at work before it counts as one that never rests, and the others go on without it.
-define(PATIENCE, 1000).
%% As often everybody is found waiting, some milliseconds apart, before nothing more is expected.
-define(LOOKS, 4).

%% --- What conducted code calls

ask(Operation) ->
    ask(Operation, 0).

%% Wait: so many milliseconds may pass until something comes of the operation.
ask(Operation, Wait) ->
    case persistent_term:get(?MODULE, none) of
        none ->
            ok;
        Conductor when Conductor =:= self() ->
            ok;
        Conductor ->
            Monitor = erlang:monitor(process, Conductor),
            Conductor ! {ask, self(), Monitor, Operation, Wait},
            receive
                {Monitor, granted} -> erlang:demonitor(Monitor, [flush]), ok;
                {'DOWN', Monitor, process, Conductor, _} -> ok
            end
    end.

done() ->
    ?MODULE:tell({done, self()}).

%% The value itself, where it is not to be looked at symbolically.
plain(Value) -> Value.

%% Before a call of a function that is known now: what it is to others. If they could notice it, it is asked for.
ask_if(Module, Name, Arity) ->
    asked(?MODULE:plain(Module), ?MODULE:plain(Name), Arity).

%% Likewise before a function value is applied.
ask_fun(Value, Arity) when is_integer(Arity) ->
    Function = ?MODULE:plain(Value),
    case is_function(Function, Arity) andalso erlang:fun_info(Function, type) of
        {type, external} ->
            {module, Module} = erlang:fun_info(Function, module),
            {name, Name} = erlang:fun_info(Function, name),
            asked(Module, Name, Arity);
        _ ->
            other
    end;
ask_fun(Value, Arguments) ->
    case arity_of(Arguments) of
        none -> other;
        Arity -> ask_fun(Value, Arity)
    end.

asked(Module, Name, Arity) when is_integer(Arity) ->
    case kind_of_operation(Module, Name, Arity) of
        visible ->
            Shown = case Name of '!' -> send; _ -> Name end,
            Text = atom_to_list(Module) ++ [$: | atom_to_list(Shown)] ++ [$/ | integer_to_list(Arity)],
            ?MODULE:ask(list_to_atom(Text), longest_wait(Name)),
            visible;
        Kind ->
            Kind
    end;
asked(Module, Name, Arguments) ->
    case arity_of(Arguments) of
        none -> other;
        Arity -> asked(Module, Name, Arity)
    end.

%% Of arguments that may be no list at all.
arity_of(Arguments) ->
    try length(?MODULE:plain(Arguments))
    catch error:_ -> none
    end.

longest_wait(send_after) -> 5000;
longest_wait(start_timer) -> 5000;
longest_wait(_) -> 0.

%% Before a receive that may give up. What it finds depends on when it begins.
receiving(Timeout) ->
    case ?MODULE:plain(Timeout) of
        infinity -> ok;
        Wait -> ?MODULE:ask('receive', Wait), ?MODULE:done()
    end.

%% Starts a process by a function of the runtime, or a value that stands for one. It says when it begins, and asks before it
%% ends.
started(Function, Arguments) ->
    Result = case conducted_start(Arguments) of
                 Start when is_atom(Function) -> apply(erlang, Function, Start);
                 Start ->
                     {name, Name} = erlang:fun_info(Function, name),
                     apply(erlang, Name, Start)
             end,
    case Result of
        Pid when is_pid(Pid) -> ?MODULE:tell({born, Pid, self(), none});
        {Pid, _} when is_pid(Pid) -> ?MODULE:tell({born, Pid, self(), none});
        %% Of a request, nobody knows here.
        _ -> ok
    end,
    Result.

%% The function to be called may have a node before it, and options behind it. What is wrong stays as it is.
conducted_start([Function | Rest]) when is_function(Function, 0) ->
    [?MODULE, begin_process, [self(), erlang, apply, [Function, []]] | Rest];
conducted_start([Node, Function | Rest]) when is_atom(Node), is_function(Function, 0) ->
    [Node, ?MODULE, begin_process, [self(), erlang, apply, [Function, []]] | Rest];
conducted_start([Module, Name, Arguments | Rest]) when is_atom(Module), is_atom(Name), is_list(Arguments) ->
    [?MODULE, begin_process, [self(), Module, Name, Arguments] | Rest];
conducted_start([Node, Module, Name, Arguments | Rest])
  when is_atom(Node), is_atom(Module), is_atom(Name), is_list(Arguments) ->
    [Node, ?MODULE, begin_process, [self(), Module, Name, Arguments] | Rest];
conducted_start(Arguments) ->
    Arguments.

begin_process(Parent, Module, Name, Arguments) ->
    ?MODULE:tell({born, self(), Parent, {Module, Name, length(Arguments)}}),
    begin_anew(Module, Name, Arguments).

%% The function may be one that others could notice.
begin_anew(Module, Name, Arguments) ->
    try
        case asked(Module, Name, Arguments) of
            visible -> try apply(Module, Name, Arguments) after ?MODULE:done() end;
            start -> started(Name, Arguments);
            restart -> apply(erlang, hibernate, [?MODULE, begin_anew, Arguments]);
            other -> apply(Module, Name, Arguments)
        end
    of
        _ -> ?MODULE:ask('end')
    catch
        Class:Reason:Stack ->
            ?MODULE:ask('end'),
            erlang:raise(Class, Reason, [Frame || Frame <- Stack, element(1, Frame) =/= ?MODULE])
    end.

%% What process_info/1,2 says of a process, without what is only there for the conductor.
shown(Items, Pid) when is_list(Items) ->
    [shown(Item, Pid) || Item <- Items];
shown({monitored_by, By}, _) ->
    {monitored_by, [Other || Other <- By, Other =/= persistent_term:get(?MODULE, none)]};
shown({initial_call, {?MODULE, begin_process, 4}}, Pid) ->
    {initial_call, case persistent_term:get(?MODULE, none) of
                       none -> {?MODULE, begin_process, 4};
                       Conductor -> call_of(Pid, Conductor)
                   end};
shown({current_stacktrace, Stack}, _) ->
    {current_stacktrace, [Frame || Frame <- Stack, element(1, Frame) =/= ?MODULE]};
shown(Item, _) ->
    Item.

call_of(Pid, Conductor) ->
    Monitor = erlang:monitor(process, Conductor),
    Conductor ! {call_of, Pid, self(), Monitor},
    receive
        {Monitor, Call} -> erlang:demonitor(Monitor, [flush]), Call;
        {'DOWN', Monitor, process, Conductor, _} -> none
    end.

tell(Message) ->
    case persistent_term:get(?MODULE, none) of
        none -> ok;
        Conductor -> Conductor ! Message, ok
    end.

%% --- The conductor

%% How the call ended, and whether the schedule was followed: `followed`, or {left, Index, Expected, Wanted}, where Wanted
%% are the operations that processes asked for instead. The call is made by a process of its own, so that its end can be told
%% if a signal ends it, also behind the call.
run(Schedule, Call) ->
    Conductor = begin_play(Schedule),
    {Server, Tag} = {self(), make_ref()},
    {garbage_collection, Settings} = process_info(self(), garbage_collection),
    {_, Monitor} = spawn_monitor(fun() ->
        _ = [process_flag(max_heap_size, Limit) || {max_heap_size, Limit} <- Settings],
        begin_main(),
        Ended = try {value, Call()}
                catch Class:Reason:Stack ->
                    process_flag(trap_exit, true),
                    {raised, Class, Reason, Stack}
                end,
        Server ! {Tag, Ended},
        receive after infinity -> ok end
    end),
    receive
        {Tag, Ended} ->
            Verdict = end_play(Conductor, infinity),
            receive
                {'DOWN', Monitor, process, _, Signal} -> {{killed, Signal, []}, Verdict}
            after 0 ->
                {Ended, Verdict}
            end;
        {'DOWN', Monitor, process, _, Signal} ->
            {{killed, Signal, []}, end_play(Conductor, infinity)}
    end.

begin_play(Schedule) ->
    end_timer_server(),
    Conductor = spawn(fun() ->
                              receive start -> ok end,
                              play(#{schedule => Schedule, at => 1, paths => #{}, alive => #{}, children => #{}, calls => #{},
                                     waiting => [], busy => none, left => none, until => now_ms(), restless => #{}, resting => none, asker => none})
                      end),
    persistent_term:put(?MODULE, Conductor),
    Conductor ! start,
    Conductor.

%% In the process that evaluates: what it does from now on is a part of the schedule.
begin_main() ->
    tell({main, self()}).

%% The server of the module timer is started when somebody needs it. One that an earlier call has left is none of this one.
end_timer_server() ->
    Supervisors = case whereis(timer_server) of
                      undefined -> [];
                      %% Which of them it is depends on the release.
                      _ -> [kernel_sup, kernel_safe_sup]
                  end,
    _ = [{supervisor:terminate_child(Supervisor, timer_server), supervisor:delete_child(Supervisor, timer_server)}
         || Supervisor <- Supervisors],
    ok.

%% Main has ended: what others do then is still a part of the schedule.
end_play(Conductor, Timeout) ->
    Monitor = erlang:monitor(process, Conductor),
    Conductor ! {finish, self(), Monitor},
    Followed = receive
                   {Monitor, Verdict} -> erlang:demonitor(Monitor, [flush]), Verdict;
                   {'DOWN', Monitor, process, Conductor, Reason} -> {lost, Reason}
               after Timeout ->
                   exit(Conductor, kill),
                   receive {'DOWN', Monitor, process, Conductor, _} -> {lost, timeout} end
               end,
    persistent_term:erase(?MODULE),
    Followed.

%% In the process that evaluates, between two steps of an expression: the others do what comes before its own next operation.
rest() ->
    case persistent_term:get(?MODULE, none) of
        none ->
            ok;
        Conductor ->
            Monitor = erlang:monitor(process, Conductor),
            Conductor ! {rest, self(), Monitor},
            receive
                {Monitor, granted} -> erlang:demonitor(Monitor, [flush]), ok;
                {'DOWN', Monitor, process, Conductor, _} -> ok
            end
    end.

now_ms() -> erlang:monotonic_time(millisecond).

play(State) ->
    receive
        Message -> play(heard(Message, State))
    after 0 ->
        act(State)
    end.

heard({ask, Pid, Tag, Operation, Wait}, #{waiting := Waiting, alive := Alive, until := Until} = State) ->
    case Alive of
        #{Pid := _} ->
            Later = case Wait of
                        _ when is_integer(Wait), Wait > 0 -> max(Until, now_ms() + Wait);
                        _ -> Until
                    end,
            free(Pid, State#{waiting := Waiting ++ [{Pid, Tag, Operation}], until := Later});
        %% Code that is not conducted has started it.
        #{} ->
            grant({Pid, Tag, Operation}),
            State
    end;
heard({done, Pid}, State) ->
    free(Pid, State);
heard({born, Child, Parent, Call}, #{paths := Paths, alive := Alive, children := Children, calls := Calls} = State) ->
    case Paths of
        #{Child := _} when Call =:= none ->
            State;
        #{Child := _} ->
            State#{calls := Calls#{Child => Call}};
        #{Parent := Path} ->
            Number = maps:get(Parent, Children, 0) + 1,
            State#{paths := Paths#{Child => Path ++ [Number]}, children := Children#{Parent => Number},
                   calls := Calls#{Child => Call}, alive := Alive#{Child => erlang:monitor(process, Child)}};
        #{} ->
            State
    end;
heard({'DOWN', _, process, Pid, _}, #{waiting := Waiting, alive := Alive} = State) ->
    Left = [Asked || {Other, _, _} = Asked <- Waiting, Other =/= Pid],
    free(Pid, State#{waiting := Left, alive := maps:remove(Pid, Alive)});
heard({main, Pid}, #{paths := Paths, alive := Alive} = State) ->
    State#{paths := Paths#{Pid => []}, alive := Alive#{Pid => erlang:monitor(process, Pid)}};
heard({rest, Pid, Tag}, State) ->
    free(Pid, State#{resting := {Pid, Tag, rest}});
heard({call_of, Pid, From, Tag}, #{calls := Calls} = State) ->
    From ! {Tag, maps:get(Pid, Calls, none)},
    State;
heard({finish, From, Tag}, State) ->
    State#{asker := {From, Tag}};
heard(_, State) ->
    State.

free(Pid, #{busy := Pid} = State) -> State#{busy := none};
free(_, State) -> State.

%% There is no news.
act(#{schedule := Schedule, left := Left, waiting := Waiting, resting := Resting, asker := Asker} = State)
  when Schedule =:= []; Left =/= none ->
    _ = [grant(Asked) || Asked <- Waiting ++ [Resting || Resting =/= none]],
    case Asker of
        none -> receive Message -> play(heard(Message, State#{waiting := [], busy := none, resting := none})) end;
        {From, Tag} -> From ! {Tag, verdict(State)}
    end;
act(#{busy := none, schedule := [{[], _} | _], resting := Resting} = State) when Resting =/= none ->
    when_all_wait(State, fun(Ready) -> grant(Resting), Ready#{resting := none} end);
act(#{busy := none, schedule := [{Path, Operation} | Rest], at := At, waiting := Waiting, paths := Paths} = State) ->
    case [Asked || {Pid, _, _} = Asked <- Waiting, map_get(Pid, Paths) =:= Path] of
        [{Pid, _, Operation} = Asked | _] ->
            when_all_wait(State, fun(Ready) ->
                grant(Asked),
                Ready#{busy := Pid, schedule := Rest, at := At + 1, waiting := lists:delete(Asked, Waiting)}
            end);
        [_ | _] ->
            play(leave(State));
        [] ->
            look(State, ?LOOKS)
    end;
act(State) ->
    look(State, ?LOOKS).

%% News come first, and change what is granted.
when_all_wait(State, Then) ->
    when_all_wait(State, Then, 0).

when_all_wait(#{restless := Restless} = State, Then, Tries) ->
    receive
        Message -> play(heard(Message, State))
    after 0 ->
        case working(State) of
            [] ->
                play(Then(State));
            Working when Tries > ?PATIENCE ->
                play(Then(State#{restless := maps:merge(Restless, maps:from_keys(Working, true))}));
            _ when Tries < 100 ->
                erlang:yield(),
                when_all_wait(State, Then, Tries + 1);
            _ ->
                receive Message -> play(heard(Message, State))
                after 1 -> when_all_wait(State, Then, Tries + 1)
                end
        end
    end.

%% The operation that is expected does not come yet. If everybody waits, and no timer is left, it never does.
look(#{busy := Busy, until := Until, resting := Resting} = State, Looks) ->
    receive
        Message -> play(heard(Message, State))
    after 5 ->
        case working(State) =:= [] andalso (Resting =/= none orelse now_ms() > Until) of
            false -> look(State, ?LOOKS);
            true when Looks > 0 -> look(State, Looks - 1);
            true when Resting =/= none -> grant(Resting), play(State#{resting := none});
            true when Busy =:= none -> play(leave(State));
            true -> play(State#{busy := none})
        end
    end.

%% The processes that do not wait. One that ends counts until all have heard of it.
working(#{alive := Alive, restless := Restless}) ->
    Ending = [Pid || Pid <- maps:keys(Alive), not erlang:is_process_alive(Pid)],
    Running = [Pid || Pid <- processes(), Pid =/= self(), not is_map_key(Pid, Restless),
                      case process_info(Pid, status) of
                          {status, waiting} -> false;
                          undefined -> false;
                          _ -> true
                      end],
    Ending ++ Running.

grant({Pid, Tag, _}) -> Pid ! {Tag, granted}.

%% The processes want something else than the schedule says.
leave(#{schedule := [Expected | _], at := At, waiting := Waiting, paths := Paths} = State) ->
    Wanted = [{map_get(Pid, Paths), Operation} || {Pid, _, Operation} <- Waiting],
    State#{left := {left, At, Expected, Wanted}}.

verdict(#{left := none}) -> followed;
verdict(#{left := Left}) -> Left.
