%% The helper on tracing: a call whose process says which clauses it chooses (beagle_event), in pieces as they come.
%%
%% The process waits while a piece is on its way, and what is sent waits for the other end of the pipe: so nothing piles up.
%% A piece is the numbers of events: two bytes if the module is the one of the event before and the event one of its first
%% 32,767, else eight bytes whose first bit is set.

%% Events in a piece, as many as the array of beagle_event has room for.
events_in_piece() -> 65536.

trace(Id, Call, Most, Limits) ->
    put(process_count, erlang:system_info(process_count)),
    Array = atomics:new(1 + events_in_piece(), [{signed, true}]),
    Port = get(port),
    {Collector, Monitor} = spawn_monitor(fun() -> collect(Port, Id, Array, Most, 0) end),
    put(event_array, {Array, Collector}),
    put(process_count, erlang:system_info(process_count)),
    {IsStopped, Answer} = evaluate(Call, Limits),
    erase(event_array),
    Collector ! {finish, self()},
    Told = receive
               {Collector, IsWhole} ->
                   receive {'DOWN', Monitor, process, Collector, _} -> ok end,
                   IsWhole;
               {'DOWN', Monitor, process, Collector, _} ->
                   false
           end,
    Changed = [encode(changed) || IsStopped orelse is_changed()],
    flush(Id, 0, Changed ++ [encode({is_whole, Told}), Answer], 2 + length(Changed)).

%% In the process that calls.
begin_events(undefined) -> ok;
begin_events({Array, Collector}) -> persistent_term:put(beagle_event, {self(), Array, Collector}).

collect(Port, Id, Array, Most, Sent) ->
    receive
        {full, Reference, From} ->
            send_events(Port, Id, Array, events_in_piece()),
            Total = Sent + events_in_piece(),
            Next = case Total >= Most of
                       true -> -(1 bsl 62);
                       false -> 0
                   end,
            atomics:put(Array, 1, Next),
            From ! {Reference, read},
            collect(Port, Id, Array, Most, Total);
        {finish, From} ->
            Count = atomics:get(Array, 1),
            _ = Count > 0 andalso send_events(Port, Id, Array, min(Count, events_in_piece())),
            From ! {self(), Count >= 0}
    end.

send_events(Port, Id, Array, Count) ->
    Events = events(Array, 1, Count, -1, <<>>),
    port_command(Port, [Id, <<1, 131>>, encode({events, Events})]).

events(_, Index, Count, _, Bytes) when Index > Count ->
    Bytes;
events(Array, Index, Count, Before, Bytes) ->
    Event = atomics:get(Array, Index + 1),
    case Event bsr 20 =:= Before andalso Event band 16#FFFFF < 16#8000 of
        true -> events(Array, Index + 1, Count, Before, <<Bytes/binary, (Event band 16#FFFFF):16>>);
        false -> events(Array, Index + 1, Count, Event bsr 20, <<Bytes/binary, 1:1, Event:63>>)
    end.
