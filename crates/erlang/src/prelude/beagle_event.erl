%% Events on the real runtime: the processes of a run say which clauses they choose.
%%
%% They are numbers in an array beside all heaps, one for each process, so that the code under test sees nothing of them: no
%% messages, no entry of a dictionary, no larger heap. The first number of an array counts those behind it. When it is full,
%% the process waits until the collector has read it.
-module(beagle_event).
-file("beagle_event.erl", 1).

-export([at/1]).

at(Event) ->
    case persistent_term:get(beagle_event, none) of
        {Main, Array, Collector, _} when Main =:= self() ->
            note(Event, Array, 65536, Collector);
        none ->
            ok;
        {_, _, Collector, Table} ->
            note(Event, array_of_other(Collector, Table), 256, Collector)
    end.

note(_, none, _, _) ->
    ok;
note(Event, Array, Size, Collector) ->
    case atomics:add_get(Array, 1, 1) of
        Count when Count >= Size -> wait_for(Collector, Array, Size, Event);
        Count when Count > 0 -> atomics:put(Array, Count + 1, Event);
        %% More than are wanted: the count stays far below zero.
        _ -> ok
    end.

%% The main process has a large array from the beginning; every other one makes its own with its first event.
array_of_other(Collector, Table) ->
    try ets:lookup(Table, self()) of
        [{_, Array}] ->
            Array;
        [] ->
            Array = atomics:new(1 + 256, [{signed, true}]),
            true = ets:insert(Table, {self(), Array}),
            Collector ! {array, self(), Array},
            Array
    catch
        %% The run is over.
        error:_ -> none
    end.

wait_for(Collector, Array, Size, Event) ->
    atomics:put(Array, Size + 1, Event),
    Monitor = monitor(process, Collector),
    Collector ! {full, Monitor, self()},
    receive
        {Monitor, read} -> demonitor(Monitor, [flush]), ok;
        {'DOWN', Monitor, process, Collector, _} -> ok
    end.
