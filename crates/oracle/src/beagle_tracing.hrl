%% The helper on tracing: a call whose processes say which clauses they choose (beagle_event), in pieces as they come.
%%
%% A process waits while a piece is on its way, and what is sent waits for the other end of the pipe: so nothing piles up.
%% A piece has the index of its process and the numbers of events: two bytes if the module is the one of the event before
%% and the event one of its first 32,767, else eight bytes whose first bit is set. When all is over, the processes that were
%% started are told: who started them, and how they ended.

%% Events in a piece, as many as the arrays of beagle_event have room for: that of the main process, and all others.
events_in_piece(0) -> 65536;
events_in_piece(_) -> 256.

%% Schedule: the order of operations that is forced, or none.
trace(Id, Call, Most, Schedule, {TimeLimit, HeapLimit}) ->
    put(process_count, erlang:system_info(process_count)),
    Array = atomics:new(2 + events_in_piece(0), [{signed, true}]),
    {Port, Server} = {get(port), self()},
    {Collector, Monitor} = spawn_monitor(fun() ->
        Table = ets:new(beagle_event, [public]),
        Server ! {self(), Table},
        collect(Port, Id, #{0 => Array}, #{}, Most)
    end),
    put(event_array, {Array, Collector, receive {Collector, Table} -> Table end}),
    put(schedule, Schedule),
    _ = get(outside) =:= undefined orelse put(outside, new_outside()),
    put(process_count, erlang:system_info(process_count)),
    {IsStopped, Answer} = evaluate(Call, {TimeLimit, HeapLimit, false, lives}),
    erase(event_array),
    Collector ! {finish, self()},
    {IsWhole, Indices} = receive
                             {Collector, Whole, Known} ->
                                 receive {'DOWN', Monitor, process, Collector, _} -> ok end,
                                 {Whole, Known};
                             {'DOWN', Monitor, process, Collector, _} ->
                                 {false, #{}}
                         end,
    Changed = [encode(changed) || IsStopped orelse is_changed()],
    {#{main := Main, lives := Lives}, Order, Rest} = erase(last_world),
    Told = [encode({outside, told_outside()}), encode({is_whole, IsWhole}), encode({order, Order}),
            encode({is_waiting, Rest =:= waiting}), encode({processes, told_lives(Main, Lives, Indices)})],
    flush(Id, 0, Changed ++ [Answer | Told], 1 + length(Told) + length(Changed)).

%% In the process that calls, right before and behind the call.
begin_events(undefined) -> ok;
begin_events({Array, Collector, Table}) ->
    persistent_term:put(beagle_event, {self(), Array, Collector, Table}),
    _ = persistent_term:get(beagle_conductor, none) =:= none orelse beagle_conductor:begin_main(),
    ok.

%% The last number of the array says how many there were, and one more, when the call has ended.
end_events(undefined) ->
    ok;
end_events({Array, _, _}) ->
    case atomics:exchange(Array, 1, -(1 bsl 62)) of
        Count when Count >= 0 -> atomics:put(Array, events_in_piece(0) + 2, Count + 1);
        _ -> ok
    end.

%% Of a process that has not ended the call, the count is as it left it.
last_count(0, Array) ->
    case atomics:get(Array, events_in_piece(0) + 2) of
        0 -> atomics:get(Array, 1);
        Count -> Count - 1
    end;
last_count(_, Array) ->
    atomics:get(Array, 1).

%% Arrays by the indices of their processes, and the indices of all but the main process. Left: how many more are wanted.
collect(Port, Id, Arrays, Indices, Left) ->
    receive
        {array, Pid, Array} ->
            Index = map_size(Arrays),
            collect(Port, Id, Arrays#{Index => Array}, Indices#{Pid => Index}, Left);
        {full, Reference, From} ->
            Index = maps:get(From, Indices, 0),
            Array = map_get(Index, Arrays),
            send_events(Port, Id, Index, Array, events_in_piece(Index)),
            Next = case Left =< 0 of
                       true -> -(1 bsl 62);
                       false -> 0
                   end,
            atomics:put(Array, 1, Next),
            From ! {Reference, read},
            collect(Port, Id, Arrays, Indices, Left - events_in_piece(Index));
        {finish, From} ->
            Counts = [{Index, Array, last_count(Index, Array)} || {Index, Array} <- maps:to_list(Arrays)],
            _ = [send_events(Port, Id, Index, Array, min(Count, events_in_piece(Index)))
                 || {Index, Array, Count} <- Counts, Count > 0],
            From ! {self(), lists:all(fun({_, _, Count}) -> Count >= 0 end, Counts), Indices}
    end.

send_events(Port, Id, Index, Array, Count) ->
    Events = events(Array, 1, Count, -1, <<>>),
    port_command(Port, [Id, <<1, 131>>, encode({events, Index, Events})]).

events(_, Index, Count, _, Bytes) when Index > Count ->
    Bytes;
events(Array, Index, Count, Before, Bytes) ->
    Event = atomics:get(Array, Index + 1),
    case Event bsr 20 =:= Before andalso Event band 16#FFFFF < 16#8000 of
        true -> events(Array, Index + 1, Count, Before, <<Bytes/binary, (Event band 16#FFFFF):16>>);
        false -> events(Array, Index + 1, Count, Event bsr 20, <<Bytes/binary, 1:1, Event:63>>)
    end.

%% {Path, Index, End} of the main process, if a signal has ended it, and of each process that it has started, directly or not.
told_lives(Main, #{children := Children, over := Over}, Indices) ->
    [{[], none, map_get(Main, Over)} || is_map_key(Main, Over)]
        ++ [{Path, maps:get(Pid, Indices, none), maps:get(Pid, Over, alive)} || {Pid, Path} <- paths(Main, [], Children)].

%% --- What comes from outside of the program

%% Functions that act on the outside and are allowed, and modules with native functions: calls of these are traced, with
%% what they come to. Such a function may call what is forbidden otherwise.
listen_outside(none) ->
    ok;
listen_outside({Functions, Natives}) ->
    case get(listening) of
        {Functions, Natives} ->
            ok;
        _ ->
            _ = [listen(Module, Function, Arity) || {Module, Function, Arity} <- Functions],
            _ = [listen(Module, Function, Arity) || Module <- Natives, {Function, Arity} <- natives(Module)],
            put(listening, {Functions, Natives}),
            put(outside, new_outside()),
            %% Modules with native code may have been loaded for it.
            _ = get(guard) =:= none orelse put(state, state()),
            ok
    end.

natives(Module) ->
    case code:ensure_loaded(Module) of
        {module, _} -> Module:module_info(nifs);
        {error, _} -> []
    end.

listen(Module, Function, Arity) ->
    _ = code:ensure_loaded(Module),
    _ = erlang:trace_pattern({Module, Function, Arity}, false, [global]),
    erlang:trace_pattern({Module, Function, Arity}, [{'_', [], [{exception_trace}]}], [local]).

%% The process that calls the function under test; for each process how deep it is in calls of such functions; and what is
%% told of the main one, the latest first.
new_outside() ->
    #{main => none, depth => #{}, told => [], count => 0}.

note_main(Pid) ->
    case get(outside) of
        undefined -> ok;
        Outside -> put(outside, Outside#{main := Pid})
    end.

outside_call(Pid, Call) ->
    #{main := Main, depth := Depth, told := Told, count := Count} = Outside = get(outside),
    Inside = maps:get(Pid, Depth, 0),
    Deeper = Outside#{depth := Depth#{Pid => Inside + 1}},
    case Inside =:= 0 andalso Main =:= Pid of
        true when Count < 10000 -> put(outside, Deeper#{told := [{call, Call} | Told], count := Count + 1});
        %% From here on, nothing is told of the process any more.
        true -> put(outside, Deeper#{main := none});
        false -> put(outside, Deeper)
    end.

%% Whoever is killed, by its limits for example, leaves the call without an end.
outside_end(_, {raised, exit, killed}) ->
    ok;
outside_end(Pid, End) ->
    #{main := Main, depth := Depth, told := Told} = Outside = get(outside),
    Inside = maps:get(Pid, Depth, 1) - 1,
    Next = Outside#{depth := Depth#{Pid => Inside}},
    case Inside =:= 0 andalso Main =:= Pid of
        true -> put(outside, Next#{told := ended(Told, End)});
        false -> put(outside, Next)
    end.

%% Messages may have come during the call.
ended([{call, {Module, Function, Arguments}} | Told], End) -> [{call, Module, Function, Arguments, End} | Told];
ended([Message | Told], End) ->
    [Call | Rest] = ended(Told, End),
    [Message, Call | Rest];
ended([], _) -> [].

is_outside(Pid) ->
    case get(outside) of
        #{depth := Depth} -> maps:get(Pid, Depth, 0) > 0;
        undefined -> false
    end.

%% Only what a port or a socket sends comes from outside; their own conversations with drivers do not count.
outside_message(Pid, Message) when is_tuple(Message), tuple_size(Message) > 1 ->
    First = element(1, Message),
    #{main := Main, told := Told} = Outside = get(outside),
    IsOurs = is_port(First) orelse is_atom(First) andalso is_port(element(2, Message))
        andalso First =/= inet_async andalso First =/= inet_reply,
    case IsOurs andalso Main =:= Pid of
        true -> put(outside, Outside#{told := [{message, Message} | Told]});
        false -> ok
    end;
outside_message(_, _) ->
    ok.

%% A call that did not come back is told as none.
told_outside() ->
    case get(outside) of
        #{told := Told} -> [One || One <- lists:reverse(Told), tuple_size(One) > 2 orelse element(1, One) =:= message];
        undefined -> []
    end.
