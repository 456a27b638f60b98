%% Events on the real runtime: the main process of a run says which clauses it chooses.
%%
%% They are numbers in an array beside all heaps, so that the code under test sees nothing of them: no messages, no entry of
%% a dictionary, no larger heap. The first number of the array counts those behind it. When it is full, the process waits
%% until the collector has read it.
-module(beagle_event).
-file("beagle_event.erl", 1).

-export([at/1]).

at(Event) ->
    case persistent_term:get(beagle_event, none) of
        {Main, Array, Collector} when Main =:= self() ->
            case atomics:add_get(Array, 1, 1) of
                Count when Count > 65535 -> wait_for(Collector, Array, Event);
                Count when Count > 0 -> atomics:put(Array, Count + 1, Event);
                %% More than are wanted: the count stays far below zero.
                _ -> ok
            end;
        _ ->
            ok
    end.

wait_for(Collector, Array, Event) ->
    atomics:put(Array, 65536 + 1, Event),
    Monitor = monitor(process, Collector),
    Collector ! {full, Monitor, self()},
    receive
        {Monitor, read} -> demonitor(Monitor, [flush]), ok;
        {'DOWN', Monitor, process, Collector, _} -> ok
    end.
