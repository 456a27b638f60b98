%% Marks on the real runtime: tells whether a call comes to one of the marks that are wanted.
-module(beagle_mark).
-file("beagle_mark.erl", 1).

-export([at/3, is_reached/2]).

at(Module, Line, Column) ->
    case persistent_term:get(beagle_mark, none) of
        {Wanted, Asker} ->
            case lists:member({Module, Line, Column}, Wanted) of
                true -> Asker ! {beagle_mark, reached}, ok;
                false -> ok
            end;
        none ->
            ok
    end.

%% The call is not waited for once it has come there: it may go on for ever.
is_reached(Wanted, Call) ->
    {Asker, Monitor} = spawn_monitor(fun() -> exit({reached, watch(Wanted, Call)}) end),
    receive
        {'DOWN', Monitor, process, Asker, {reached, IsReached}} -> IsReached;
        {'DOWN', Monitor, process, Asker, _} -> false
    end.

watch(Wanted, Call) ->
    persistent_term:put(beagle_mark, {Wanted, self()}),
    {Worker, Monitor} = spawn_monitor(Call),
    IsReached = receive
                    {beagle_mark, reached} -> true;
                    {'DOWN', Monitor, process, Worker, _} -> receive {beagle_mark, reached} -> true after 50 -> false end
                end,
    exit(Worker, kill),
    persistent_term:put(beagle_mark, none),
    IsReached.
