%% The conductor on the real runtime: has processes do their operations one at a time, in a given order.
%%
%% A schedule is a list of {Process, Operation}. A process is the list of numbers that lead to it: [] is the process that
%% evaluates, [2, 1] the first that was started by the second that this one has started. Processes that were there before,
%% and those that they start, are not conducted. Where the processes want to do something else than the schedule says,
%% it ends, and everybody goes on as they like.
-module(beagle_conductor).
-file("beagle_conductor.erl", 1).

-export([run/2, ask/1, done/0, born/1]).

%% Nobody has said anything for so long: the next operation does not come.
-define(SILENCE, 5000).

%% How the call ended, and whether the schedule was followed: `followed`, or {left, Index, Expected, Wanted}, where Wanted
%% are the operations that processes asked for instead.
run(Schedule, Call) ->
    Main = self(),
    Before = maps:from_keys(processes() -- [Main], outside),
    Conductor = spawn(fun() ->
                              receive start -> ok end,
                              play(#{schedule => Schedule, at => 1, known => Before#{self() => outside, Main => []},
                                     children => #{}, monitored => #{}, waiting => [], busy => none, left => none})
                      end),
    persistent_term:put(?MODULE, Conductor),
    Conductor ! start,
    Ended = try {value, Call()}
            catch Class:Reason:Stack -> {raised, Class, Reason, Stack}
            end,
    persistent_term:erase(?MODULE),
    Monitor = erlang:monitor(process, Conductor),
    Conductor ! {finish, Main},
    receive
        {?MODULE, Followed} ->
            erlang:demonitor(Monitor, [flush]),
            {Ended, Followed};
        {'DOWN', Monitor, process, Conductor, Reason1} -> {Ended, {lost, Reason1}}
    end.

ask(Operation) ->
    case persistent_term:get(?MODULE, none) of
        none ->
            ok;
        Conductor when Conductor =:= self() ->
            ok;
        Conductor ->
            Monitor = erlang:monitor(process, Conductor),
            Conductor ! {ask, self(), Monitor, Operation},
            receive
                {Monitor, granted} -> erlang:demonitor(Monitor, [flush]), ok;
                {'DOWN', Monitor, process, Conductor, _} -> ok
            end
    end.

done() ->
    tell({done, self()}).

born(Result) ->
    case Result of
        Pid when is_pid(Pid) -> tell({born, self(), Pid});
        {Pid, _} when is_pid(Pid) -> tell({born, self(), Pid});
        _ -> ok
    end,
    Result.

tell(Message) ->
    case persistent_term:get(?MODULE, none) of
        none -> ok;
        Conductor -> Conductor ! Message, ok
    end.

play(State) ->
    #{waiting := Waiting, busy := Busy, known := Known, children := Children} = State,
    receive
        {ask, Pid, Tag, Operation} ->
            Free = case Busy of Pid -> none; _ -> Busy end,
            play(step((monitored(Pid, State))#{waiting := Waiting ++ [{Pid, Tag, Operation}], busy := Free}));
        {done, Busy} ->
            play(step(State#{busy := none}));
        {done, _} ->
            play(State);
        {born, Parent, Child} ->
            play(step(case Known of
                #{Parent := outside} ->
                    State#{known := Known#{Child => outside}};
                #{Parent := Path} ->
                    Number = maps:get(Parent, Children, 0) + 1,
                    State#{known := Known#{Child => Path ++ [Number]}, children := Children#{Parent => Number}};
                #{} ->
                    State
            end));
        {'DOWN', _, process, Pid, _} ->
            Left = [Asked || {Other, _, _} = Asked <- Waiting, Other =/= Pid],
            Free = case Busy of Pid -> none; _ -> Busy end,
            play(step(State#{waiting := Left, busy := Free}));
        {finish, From} ->
            From ! {?MODULE, verdict(State)}
    after silence(State) ->
        Unknown = [Pid || {Pid, _, _} <- Waiting, not is_map_key(Pid, Known)],
        case {Busy, Unknown} of
            {none, []} -> play(step(leave(State)));
            %% Code that is not conducted has started them.
            {none, _} -> play(step(State#{known := maps:merge(Known, maps:from_keys(Unknown, outside))}));
            _ -> play(step(State#{busy := none}))
        end
    end.

monitored(Pid, #{monitored := Monitored} = State) ->
    case Monitored of
        #{Pid := _} -> State;
        #{} -> State#{monitored := Monitored#{Pid => erlang:monitor(process, Pid)}}
    end.

silence(#{waiting := [], busy := none}) -> infinity;
silence(_) -> ?SILENCE.

%% Grants what can be granted.
step(#{waiting := Waiting, known := Known} = State) ->
    {Free, Conducted} = lists:partition(fun({Pid, _, _}) -> map_get_or(Pid, Known) =:= outside end, Waiting),
    _ = [grant(Asked) || Asked <- Free],
    next(State#{waiting := Conducted}).

next(#{left := Left, waiting := Waiting} = State) when Left =/= none ->
    _ = [grant(Asked) || Asked <- Waiting],
    State#{waiting := [], busy := none};
next(#{schedule := [], waiting := Waiting} = State) ->
    _ = [grant(Asked) || Asked <- Waiting],
    State#{waiting := [], busy := none};
next(#{busy := none, schedule := [{Path, Operation} | Rest], at := At, waiting := Waiting, known := Known} = State) ->
    case [Asked || {Pid, _, _} = Asked <- Waiting, map_get_or(Pid, Known) =:= Path] of
        [{Pid, _, Operation} = Asked | _] ->
            grant(Asked),
            State#{busy := Pid, schedule := Rest, at := At + 1, waiting := lists:delete(Asked, Waiting)};
        [_ | _] ->
            next(leave(State));
        [] ->
            State
    end;
next(State) ->
    State.

map_get_or(Pid, Known) ->
    case Known of
        #{Pid := Path} -> Path;
        #{} -> unknown
    end.

grant({Pid, Tag, _}) -> Pid ! {Tag, granted}.

%% The processes want something else than the schedule says.
leave(#{left := none, schedule := [Expected | _], at := At, waiting := Waiting, known := Known} = State) ->
    Wanted = [{map_get_or(Pid, Known), Operation} || {Pid, _, Operation} <- Waiting],
    State#{left := {left, At, Expected, Wanted}};
leave(State) ->
    State.

verdict(#{left := none, schedule := []}) -> followed;
verdict(#{left := none, schedule := [Expected | _], at := At}) -> {left, At, Expected, []};
verdict(#{left := Left}) -> Left.
