%% The helper on processes: what becomes of those that an evaluation starts, and whether they wait or work.
%%
%% They are traced. What is known of them is a world: those that are alive, each with its initial call, its name and
%% the last process whose link to it broke without its starting another one since, and the ends that were not normal.

%% So long nothing happens after a crash before it is taken for the last one, and so long processes are looked at.
quiet_time() -> 100.
look_time() -> 20.

new_world(none, _) -> unwatched;
new_world(_, Main) ->
    #{main => Main, alive => #{Main => {none, none, none}}, ends => [], started => 0,
      lives => #{children => #{}, count => 0, over => #{}}}.

seen(_, unwatched) ->
    unwatched;
seen({trace, Pid, spawned, _, Call}, #{alive := Alive, started := Started} = World) ->
    World#{alive := Alive#{Pid => {initial(Call), none, none}}, started := Started + 1};
seen({trace, Pid, spawn, Child, _}, #{lives := Lives} = World) ->
    update(Pid, fun({Initial, Name, _}) -> {Initial, Name, none} end, World#{lives := birth(Pid, Child, Lives)});
seen({trace, Pid, register, Name}, World) ->
    update(Pid, fun({Initial, _, Broken}) -> {Initial, Name, Broken} end, World);
seen({trace, Pid, getting_unlinked, Other}, World) ->
    update(Pid, fun({Initial, Name, _}) -> {Initial, Name, Other} end, World);
seen({trace, Pid, exit, Reason}, #{main := Main, alive := Alive, ends := Ends, lives := Lives} = World) ->
    #{over := Over} = Lives,
    Left = World#{alive := maps:remove(Pid, Alive), lives := Lives#{over := Over#{Pid => {ended, small(Reason)}}}},
    case Alive of
        #{Pid := {Initial, Name, Broken}} when Pid =/= Main, length(Ends) < 200 ->
            case kind_of_end(Reason) of
                normal -> Left;
                shutdown when Broken =:= none -> Left;
                Kind -> Left#{ends := [{Pid, Kind, Initial, Name, Reason, Broken} | Ends]}
            end;
        _ ->
            Left
    end;
seen(_, World) ->
    World.

%% What one process did is seen in order, but that its child has a child may be seen before that it has this one.
birth(Parent, Child, #{children := Children, count := Count} = Lives) when Count < 100000 ->
    Lives#{children := maps:update_with(Parent, fun(Others) -> [Child | Others] end, [Child], Children), count := Count + 1};
birth(_, _, Lives) ->
    Lives.

%% A process is named by who started it: see beagle_conductor.
paths(Parent, Path, Children) ->
    Numbered = lists:enumerate(lists:reverse(maps:get(Parent, Children, []))),
    lists:append([[{Child, Path ++ [Number]} | paths(Child, Path ++ [Number], Children)] || {Number, Child} <- Numbered]).

update(Pid, Change, #{alive := Alive} = World) ->
    case Alive of
        #{Pid := Known} -> World#{alive := Alive#{Pid := Change(Known)}};
        _ -> World
    end.

kind_of_end(normal) -> normal;
kind_of_end(shutdown) -> shutdown;
kind_of_end({shutdown, _}) -> normal;
kind_of_end(_) -> crash.

%% As proc_lib translates it.
initial({proc_lib, init_p, [_, _, Fun]}) -> initial_fun(Fun);
initial({proc_lib, init_p, [_, _, M, F, A]}) -> initial_call(M, F, A);
initial({erlang, apply, [Fun, []]}) -> initial_fun(Fun);
initial({M, F, A}) -> initial_call(M, F, A).

initial_fun(Fun) when is_function(Fun) ->
    {module, Module} = erlang:fun_info(Fun, module),
    {name, Name} = erlang:fun_info(Fun, name),
    {arity, Arity} = erlang:fun_info(Fun, arity),
    {Module, Name, Arity};
initial_fun(_) ->
    none.

initial_call(gen, init_it, [gen_server, _, _, supervisor, {_, Module, _} | _]) when is_atom(Module) -> {Module, init, 1};
initial_call(gen, init_it, [gen_server, _, _, _, supervisor, {_, Module, _} | _]) when is_atom(Module) ->
    {Module, init, 1};
initial_call(gen, init_it, [_, _, _, Module, _, _]) when is_atom(Module) -> {Module, init, 1};
initial_call(gen, init_it, [_, _, _, _, Module | _]) when is_atom(Module) -> {Module, init, 1};
initial_call(M, F, A) when is_atom(M), is_atom(F), is_list(A) -> {M, F, length(A)};
initial_call(_, _, _) -> none.

%% --- Waiting for what happens behind a call that has ended

%% Until no process is left, nothing happens after a crash, or the time is over.
settle(World, Linger) ->
    settle(all_seen(World), now_ms() + Linger, now_ms(), []).

settle(World, Deadline, Since, Before) ->
    #{alive := Alive, ends := Ends} = World,
    Now = now_ms(),
    case map_size(Alive) =:= 0 orelse Now >= Deadline orelse (Ends =/= [] andalso Now - Since >= quiet_time()) of
        true ->
            World;
        false ->
            receive after 5 -> ok end,
            case {all_seen(World), look(World)} of
                {World, Before} -> settle(World, Deadline, Since, Before);
                {Next, Looks} -> settle(Next, Deadline, now_ms(), Looks)
            end
    end.

%% The world with what happened until now. Calls stay for the guard.
all_seen(World) ->
    Delivered = erlang:trace_delivered(all),
    receive {trace_delivered, all, Delivered} -> ok end,
    %% Processes that multiply may be faster than whoever reads of it.
    seen_so_far(World, 100000).

seen_so_far(World, 0) ->
    World;
seen_so_far(World, Most) ->
    receive
        {trace, _, spawn, _, _} = Event -> seen_so_far(seen(Event, World), Most - 1);
        {trace, _, spawned, _, _} = Event -> seen_so_far(seen(Event, World), Most - 1);
        {trace, _, Tag, _} = Event when Tag =/= call, Tag =/= 'receive' -> seen_so_far(seen(Event, World), Most - 1)
    after 0 ->
        World
    end.

%% Until all processes wait, or the time is over. The main process, which waits as well, may be ended by one that it is linked
%% to: it has heard of all that have ended when it is linked to none of them any more.
come_to_rest(#{main := Main} = World, Deadline) ->
    Last = come_to_rest(all_seen(World), Deadline, none, 0),
    case Last of
        #{started := 0} ->
            Last;
        _ ->
            case is_linked_to_dead(Main) andalso now_ms() < Deadline of
                true ->
                    receive after 1 -> ok end,
                    come_to_rest(Last, Deadline);
                false ->
                    all_seen(Last)
            end
    end.

is_linked_to_dead(Pid) ->
    case process_info(Pid, links) of
        {links, Links} -> lists:any(fun(Other) -> is_pid(Other) andalso not is_process_alive(Other) end, Links);
        undefined -> false
    end.

come_to_rest(#{alive := Alive} = World, Deadline, Before, Same) ->
    case map_size(Alive) =:= 0 orelse Same >= 3 orelse now_ms() >= Deadline of
        true ->
            World;
        false ->
            receive after 3 -> ok end,
            {Next, Looks} = {all_seen(World), look(World)},
            IsSame = {Next, Looks} =:= {World, Before} andalso [busy || {_, Status, _} <- Looks, Status =/= waiting] =:= [],
            come_to_rest(Next, Deadline, Looks, case IsSame of true -> Same + 1; false -> 0 end)
    end.

%% Whether the processes of an evaluation wait: none of them is at work, and none has done anything between two looks.
rest(#{alive := Alive}) when map_size(Alive) =:= 0 ->
    ended;
rest(World) ->
    Looks = look(World),
    receive after look_time() -> ok end,
    case {all_seen(World), look(World)} of
        {World, Looks} ->
            case lists:all(fun({_, Status, _}) -> Status =:= waiting end, Looks) of
                true -> waiting;
                false -> running
            end;
        _ ->
            running
    end.

look(#{alive := Alive}) ->
    Looks = [{Pid, process_info(Pid, [status, reductions])} || Pid <- maps:keys(Alive)],
    [{Pid, Status, Reductions} || {Pid, [{status, Status}, {reductions, Reductions}]} <- Looks].

%% --- What is told of it

%% A supervisor gave up if it ended with shutdown after the crash of a process that it was linked to, and did not
%% start another one in between.
ends(#{ends := Ends}) ->
    Crashed = maps:from_list([{Pid, true} || {Pid, crash, _, _, _, _} <- Ends]),
    Told = [{Initial, Name, small(Reason), Kind =:= shutdown}
            || {_, Kind, Initial, Name, Reason, Broken} <- Ends, Kind =:= crash orelse is_map_key(Broken, Crashed)],
    lists:reverse(Told).

small(Reason) ->
    case erlang:external_size(Reason) < 100000 of
        true -> Reason;
        false -> '$too_large'
    end.

%% The encoding of {watched, Answer, Ends, Rest, Started}, of an answer that is encoded.
with_world(Answer, #{started := Started} = World, Rest) ->
    [<<104, 5>>, encode(watched), Answer, encode(ends(World)), encode(Rest), encode(Started)].

%% What is left is waited for, so that the runtime is found as it was; not if it is so much that nobody could.
end_world(Main, #{alive := Alive}) ->
    Left = [Main | maps:keys(Alive)],
    Monitors = [monitor(process, Pid) || map_size(Alive) < 1000, Pid <- Left],
    _ = [exit(Pid, kill) || Pid <- Left],
    _ = [receive {'DOWN', Monitor, process, _, _} -> ok end || Monitor <- Monitors],
    ok.
