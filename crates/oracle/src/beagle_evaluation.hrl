%% The helper on evaluation: calls with limits, and where their output goes.

%% Answers are sent after every Flush calls, and not much later than they are known.
evaluate_all(Id, Calls, Flush, Limits) ->
    put(process_count, erlang:system_info(process_count)),
    evaluate_all(Id, Calls, Flush, Limits, [], 0, now_ms()).

evaluate_all(Id, [], _, _, Done, Count, _) ->
    flush(Id, 0, Done, Count);
evaluate_all(Id, [Call | Calls], Flush, Limits, Done0, Count0, Since) ->
    {IsStopped, Answer} = evaluate(Call, Limits),
    Done = [Answer | Done0],
    Count = Count0 + 1,
    Now = now_ms(),
    %% Nobody knows what a forbidden call has changed.
    case {IsStopped orelse is_changed(), Calls =/= [] andalso (Count >= Flush orelse Now - Since > 100)} of
        {true, _} ->
            flush(Id, 0, [encode(changed) | Done], Count + 1);
        {false, true} ->
            flush(Id, 1, Done, Count),
            evaluate_all(Id, Calls, Flush, Limits, [], 0, Now);
        {false, false} ->
            evaluate_all(Id, Calls, Flush, Limits, Done, Count, Since)
    end.

now_ms() ->
    erlang:monotonic_time(millisecond).

%% An encoded list of encoded answers.
flush(Id, More, _, 0) ->
    send(Id, More, <<106>>);
flush(Id, More, Done, Count) ->
    send(Id, More, [<<108, Count:32>>, lists:reverse(Done), 106]).

%% Watch: none, or for how many milliseconds the processes that the call has started are waited for when it has ended; or
%% `lives`, if it is to be told who started them and how they ended, once all of them wait.
evaluate(Call, {TimeLimit, HeapLimit, Printed, Watch}) ->
    Sink = evaluation_sink(),
    %% Whoever is linked with the process could end it with an answer of its own.
    Tag = make_ref(),
    Server = self(),
    Heap = #{size => HeapLimit, kill => true, error_logger => true},
    Events = get(event_array),
    Work = fun() ->
                   group_leader(Sink, self()),
                   leave(Server, Tag, outcome(Call, Printed, Events), Watch)
           end,
    {Pid, Monitor} = spawn_opt(watched(Work, Watch), [monitor, {max_heap_size, Heap}]),
    note_main(Pid),
    Deadline = now_ms() + TimeLimit,
    Conductor = begin_schedule(Watch),
    watch(Pid, Watch),
    {Answer, Rest, World} = wait_for(Pid, Monitor, Tag, Deadline, new_world(Watch, Pid)),
    Order = end_schedule(Conductor, max(100, Deadline - now_ms())),
    {End, Last} = end_of_world(Pid, Monitor, Rest, World, Watch, max(now_ms() + 100, Deadline)),
    end_leftovers(Sink, 100),
    case forbidden_call(Answer) of
        {IsStopped, Body} when Watch =:= none -> {IsStopped, Body};
        {IsStopped, Body} when Watch =:= lives ->
            forget_traces(),
            put(last_world, {Last, Order, End}),
            {IsStopped, Body};
        {IsStopped, Body} -> forget_traces(), {IsStopped, with_world(Body, Last, End)}
    end.

%% Who is watched stays until all that it has started was looked at: its end would end whoever is linked to it.
leave(_, Tag, Body, none) ->
    exit({Tag, Body});
leave(Server, Tag, Body, _) ->
    Server ! {Tag, Body},
    receive after infinity -> ok end.

%% The order that is forced on the processes of a traced call, if one is.
begin_schedule(lives) ->
    case get(schedule) of
        none -> none;
        Schedule -> beagle_conductor:begin_play(Schedule)
    end;
begin_schedule(_) ->
    none.

end_schedule(none, _) -> none;
end_schedule(Conductor, Timeout) -> beagle_conductor:end_play(Conductor, Timeout).

end_of_world(_, _, Rest, unwatched, _, _) ->
    {Rest, unwatched};
end_of_world(Pid, Monitor, Rest, #{alive := Alive} = World, Watch, Deadline) ->
    {End, Last} = case Rest of
                      unknown when Watch =:= lives ->
                          {unknown, come_to_rest(World#{alive := maps:remove(Pid, Alive)}, Deadline)};
                      unknown ->
                          Settled = settle(World#{alive := maps:remove(Pid, Alive)}, Watch),
                          {rest(Settled), Settled};
                      _ ->
                          {Rest, World}
                  end,
    true = demonitor(Monitor, [flush]),
    end_world(Pid, Last),
    {End, Last}.

%% What is printed may bring its own function to format it: under a guard, the sink that calls it is watched, and serves
%% one evaluation.
evaluation_sink() ->
    case get(guard) of
        none ->
            get(sink);
        _ ->
            exit(get(sink), kill),
            Sink = new_sink(),
            watch(Sink, none),
            put(sink, Sink),
            Sink
    end.

%% The answer, whether the processes wait or work, if that is known, and what was seen of them.
wait_for(Pid, Monitor, Tag, Deadline, World) ->
    receive
        {Tag, Body} -> {Body, unknown, World};
        {'DOWN', Monitor, process, Pid, {Tag, Body}} -> {Body, unknown, World};
        {'DOWN', Monitor, process, Pid, killed} -> {encode(why_killed(Pid)), unknown, World};
        {'DOWN', Monitor, process, Pid, Reason} -> {encode({killed, Reason}), unknown, World};
        {trace, Caller, call, {_, _, _} = Call} ->
            outside_call(Caller, Call),
            wait_for(Pid, Monitor, Tag, Deadline, World);
        {trace, Caller, return_from, _, Value} ->
            outside_end(Caller, {returned, Value}),
            wait_for(Pid, Monitor, Tag, Deadline, World);
        {trace, Caller, exception_from, _, {Class, Reason}} ->
            outside_end(Caller, {raised, Class, Reason}),
            wait_for(Pid, Monitor, Tag, Deadline, World);
        {trace, Receiver, 'receive', Message} ->
            outside_message(Receiver, Message),
            wait_for(Pid, Monitor, Tag, Deadline, World);
        {trace, From, call, Call, Caller} ->
            case is_loading(Caller) orelse is_outside(From) of
                true ->
                    wait_for(Pid, Monitor, Tag, Deadline, World);
                false ->
                    end_process(Pid, Monitor),
                    {{stopped, Call}, running, World}
            end;
        Event when element(1, Event) =:= trace ->
            %% Events may come faster than they are read.
            case now_ms() < Deadline of
                true -> wait_for(Pid, Monitor, Tag, Deadline, seen(Event, World));
                false -> out_of_time(Pid, Monitor, seen(Event, World))
            end
    after max(0, Deadline - now_ms()) ->
        out_of_time(Pid, Monitor, World)
    end.

out_of_time(Pid, Monitor, World) ->
    Rest = case World of
               unwatched -> unknown;
               _ -> rest(World)
           end,
    Reductions = reductions(Pid),
    end_process(Pid, Monitor),
    {encode({timeout, Reductions}), Rest, World}.

%% How much it has done so far.
reductions(Pid) ->
    case process_info(Pid, reductions) of
        {reductions, Reductions} -> Reductions;
        undefined -> 0
    end.

why_killed(Pid) ->
    receive
        {log, _, Format, Arguments, _} ->
            case is_list(Arguments) andalso lists:member(Pid, Arguments)
                andalso string:find(Format, "maximum heap size") =/= nomatch of
                true -> heap_exceeded;
                false -> why_killed(Pid)
            end
    after 50 ->
        {killed, killed}
    end.

%% Processes that the call has started and left behind print to the same sink: so they are known. If
%% they multiply, the runtime is given up.
end_leftovers(Sink, Rounds) ->
    case erlang:system_info(process_count) - get(process_count) of
        Surplus when Surplus > 5000; Surplus > 0, Rounds =:= 0 ->
            erlang:display_string("the call leaves processes behind that cannot be ended\n"),
            halt(1, [{flush, false}]);
        Surplus when Surplus > 0 ->
            case [P || P <- processes(), process_info(P, group_leader) =:= {group_leader, Sink}] of
                [] ->
                    put(process_count, erlang:system_info(process_count));
                Left ->
                    _ = [exit(P, kill) || P <- Left],
                    erlang:yield(),
                    end_leftovers(Sink, Rounds - 1)
            end;
        _ ->
            ok
    end.

outcome(Call, Printed, Events) ->
    Outcome = try run(Call, Events) of
                  {unreadable, Text} ->
                      {unreadable, Text};
                  {value, Value} ->
                      end_events(Events),
                      with_text({value, Value}, Value, Printed)
              catch
                  Class:Reason:Trace ->
                      end_events(Events),
                      with_text({raised, Class, Reason, own_frames(Call, Trace)}, Reason, Printed)
              end,
    %% Large binaries are not on the heap, whose limit they would exceed otherwise.
    case erlang:external_size(Outcome) > 16000000 of
        true -> encode(heap_exceeded);
        false -> encode(Outcome)
    end.

%% Nobody reads what is very long, and to print it may take more memory than the call has.
with_text(Answer, Term, Printed) ->
    case Printed andalso erlang:external_size(Term) < 100000 of
        true -> erlang:append_element(Answer, printed(Term));
        false -> Answer
    end.

run({apply, Module, Function, Arguments}, Events) ->
    begin_events(Events),
    {value, apply(Module, Function, Arguments)};
run({text, Text, Home}, Events) ->
    case read_expressions(Text) of
        {ok, Expressions} ->
            begin_events(Events),
            {value, Value, _} = erl_eval:exprs(Expressions, erl_eval:new_bindings(), local_calls(Home)),
            {value, Value};
        {error, Message} ->
            {unreadable, Message}
    end.

read_expressions(Text) ->
    case erl_scan:string(unicode:characters_to_list([Text, "\n."])) of
        {ok, Tokens, _} ->
            case erl_parse:parse_exprs(Tokens) of
                {ok, Expressions} -> {ok, Expressions};
                {error, Info} -> {error, text(error_line("expression", Info))}
            end;
        {error, Info, _} ->
            {error, text(error_line("expression", Info))}
    end.

local_calls(none) -> none;
local_calls(Home) -> {value, fun(Name, Arguments) -> apply(Home, Name, Arguments) end}.

%% The frames below the call are those of this module, and of the evaluator that it used.
own_frames(Call, Trace) ->
    Below = case Call of
                {apply, _, _, _} -> [beagle_helper];
                {text, _, _} -> [beagle_helper, erl_eval]
            end,
    IsBelow = fun(Frame) -> lists:member(element(1, Frame), Below) end,
    lists:reverse(lists:dropwhile(IsBelow, lists:reverse(Trace))).

%% --- Output of evaluated code: formatted, as faults in formats must show, and forgotten

new_sink() ->
    spawn(fun sink/0).

sink() ->
    receive
        {io_request, From, Tag, Request} ->
            From ! {io_reply, Tag, output(Request)};
        _ ->
            ok
    end,
    sink().

output({put_chars, Characters}) -> swallow(latin1, Characters);
output({put_chars, Encoding, Characters}) -> swallow(Encoding, Characters);
output({put_chars, M, F, A}) -> output({put_chars, latin1, M, F, A});
output({put_chars, Encoding, M, F, A}) ->
    try apply(M, F, A) of
        Characters -> swallow(Encoding, Characters)
    catch
        _:_ -> {error, F}
    end;
output({requests, Requests}) ->
    lists:foldl(fun(Request, ok) -> output(Request); (_, Failed) -> Failed end, ok, Requests);
output({setopts, _}) -> ok;
output(getopts) -> [{binary, false}, {encoding, unicode}];
output({get_geometry, _}) -> {error, enotsup};
output({get_chars, _, _}) -> eof;
output({get_chars, _, _, _}) -> eof;
output({get_line, _}) -> eof;
output({get_line, _, _}) -> eof;
output({get_until, _, _, _, _}) -> eof;
output({get_until, _, _, _, _, _}) -> eof;
output(_) -> {error, request}.

swallow(Encoding, Characters) ->
    try unicode:characters_to_binary(Characters, Encoding) of
        Bytes when is_binary(Bytes) -> ok;
        _ -> {error, put_chars}
    catch
        _:_ -> {error, put_chars}
    end.
