%% Runs a script on a few processes, the actors, and returns what each step gave and how each actor ended.
%%
%% Actors do one step at a time: a conductor tells an actor what to do, waits until it is done or the actor has ended,
%% and then asks every actor whether it is still there, until nobody ends any more. Whatever an actor has sent by then
%% lies in the mailboxes of the others, so a script has one outcome, although its actors are many. What could still come
%% in another order, messages of two actors that ended together, is sorted before it is shown. One race is left: whether
%% an actor that a signal ends has told its result before. `shaken/1` has the actors hurry and
%% dawdle, so that either may happen.
%%
%% Actors are numbered; what a dead one should do is done by the next that is alive. Where a result has their pids, it
%% shows {a, Number}; other pids, references and stacks have no value that two runtimes could agree on.
-module(process_script).
-behaviour(gen_server).
-export([run/1, shaken/1, loop/0, init/1, handle_call/3, handle_cast/2, handle_info/2, terminate/2]).

-define(BOARD, process_script_board).

run(Script) -> run(Script, false).

shaken(Script) -> run(Script, true).

run(Script, IsShaken) ->
    Caller = self(),
    {P, R} = spawn_monitor(fun() -> Caller ! {self(), conducted(Script, IsShaken)} end),
    receive
        {P, Results} -> demonitor(R, [flush]), Results;
        {'DOWN', R, process, P, Why} -> {conductor_ended, without_identities(Why)}
    end.

conducted(Script, IsShaken) ->
    ?BOARD = ets:new(?BOARD, [public, named_table, ordered_set]),
    ets:insert(?BOARD, {is_shaken, IsShaken}),
    ets:insert(?BOARD, {{tag, self()}, conductor}),
    publish(1, spawn(?MODULE, loop, [])),
    {Results, Actors} = lists:mapfoldl(fun step/2, watched(#{}, 1), Script),
    Ends = [{Number, ended(Actor)} || {Number, Actor} <- lists:sort(maps:to_list(Actors))],
    Shown = without_identities({Results, Ends}),
    [exit(P, kill) || {P, _, alive} <- maps:values(Actors)],
    [receive {'DOWN', R, process, _, _} -> ok end || {_, R, alive} <- maps:values(Actors)],
    Shown.

ended({P, R, alive}) -> {alive, commanded(P, R, drain)};
ended({P, _, {dead, Why}}) -> {dead, Why, [Seen || {_, Seen} <- ets:lookup(?BOARD, {terminated, P})]}.

%% --- The conductor

step({wait, Time}, Actors) -> timer:sleep(Time), {ok, settled(Actors)};
step({Number, Op}, Actors) ->
    case somebody(Number, Actors) of
        {Next, {P, R, alive}} ->
            case commanded(P, R, Op) of
                {died, Why} -> {{died, Why}, settled(Actors#{Next := {P, R, {dead, Why}}})};
                Result -> {Result, settled(lists:foldl(fun(N, All) -> watched(All, N) end, Actors, lists:seq(1, 9)))}
            end;
        nobody ->
            {nobody, Actors}
    end.

%% The actor of this number, or the next that is alive.
somebody(Number, Actors) ->
    Alive = [Actor || {_, {_, _, alive}} = Actor <- lists:sort(maps:to_list(Actors))],
    case {[Actor || {N, _} = Actor <- Alive, N >= Number], Alive} of
        {[First | _], _} -> First;
        {[], [First | _]} -> First;
        {[], []} -> nobody
    end.

commanded(P, R, Op) ->
    P ! {command, self(), Op},
    receive
        {result, P, Result} -> Result;
        {'DOWN', R, process, P, Why} -> {died, Why}
    end.

publish(Number, P) -> ets:insert(?BOARD, [{{pid, Number}, P}, {{tag, P}, {a, Number}}]).

watched(Actors, Number) ->
    case {ets:lookup(?BOARD, {pid, Number}), Actors} of
        {[{_, P}], #{Number := {P, _, _}}} -> Actors;
        {[{_, P}], #{}} -> Actors#{Number => {P, monitor(process, P), alive}};
        {[], #{}} -> Actors
    end.

settled(Actors) ->
    Now = maps:map(fun(_, {P, R, alive}) -> {P, R, pinged(P, R)}; (_, Dead) -> Dead end, Actors),
    case Now of
        Actors -> Actors;
        _ -> settled(Now)
    end.

pinged(P, R) ->
    P ! {ping, self()},
    receive
        {pong, P} -> alive;
        {'DOWN', R, process, P, Why} -> {dead, Why}
    end.

%% --- The actors: by hand, or as a server

loop() ->
    receive
        {ping, From} -> From ! {pong, self()}, loop();
        {command, From, leave} -> From ! {result, self(), leaving};
        {command, From, hibernate} -> From ! {result, self(), sleeping}, erlang:hibernate(?MODULE, loop, []);
        {command, From, Op} -> hurry(), Result = done(Op), dawdle(), From ! {result, self(), Result}, loop();
        {call, To, Op} -> Result = done(Op), To ! {To, Result}, dawdle(), loop()
    end.

init(trapping) -> process_flag(trap_exit, true), {ok, served};
init({stop, Why}) -> {stop, Why};
init(ignore) -> ignore;
init(_) -> {ok, served}.

handle_call(Op, _, S) -> {reply, done(Op), S}.

handle_cast(Op, S) -> done(Op), {noreply, S}.

handle_info({ping, From}, S) -> From ! {pong, self()}, {noreply, S};
handle_info({command, From, leave}, S) -> From ! {result, self(), leaving}, {stop, normal, S};
handle_info({command, From, hibernate}, S) -> From ! {result, self(), sleeping}, {noreply, S, hibernate};
handle_info({command, From, Op}, S) -> hurry(), Result = done(Op), dawdle(), From ! {result, self(), Result}, {noreply, S};
handle_info({call, To, Op}, S) -> Result = done(Op), To ! {To, Result}, dawdle(), {noreply, S};
handle_info(Message, S) -> put(kept, kept() ++ [Message]), {noreply, S}.

terminate(Why, served) ->
    dawdle(),
    ets:insert(?BOARD, {{terminated, self()}, Why}),
    ok.

hurry() ->
    is_shaken() andalso process_flag(priority, lists:nth(rand:uniform(3), [low, normal, high])).

dawdle() ->
    is_shaken() andalso rand:uniform(2) =:= 1 andalso timer:sleep(rand:uniform(3)).

is_shaken() -> ets:lookup(?BOARD, is_shaken) =:= [{is_shaken, true}].

kept() -> case get(kept) of undefined -> []; Kept -> Kept end.

done({fatal, exit, Why}) -> exit(Why);
done({fatal, error, Why}) -> error(Why);
done({fatal, throw, Why}) -> throw(Why);
done({fatal, divide, X}) -> 1 div X;
done(Op) -> try perform(Op) catch Class:Why -> {raised, Class, Why} end.

pid(Number) -> ets:lookup_element(?BOARD, {pid, Number}, 2).

perform({spawn, How, Number}) ->
    case ets:lookup(?BOARD, {pid, Number}) of
        [{_, Old}] -> is_process_alive(Old) andalso throw(exists);
        [] -> ok
    end,
    P = spawned(How),
    publish(Number, P),
    is_pid(P);
perform({send, To, Message}) -> target(To) ! Message, sent;
perform({take, Message}) -> taken(Message);
perform(drain) -> Kept = kept(), erase(kept), lists:sort(without_identities(Kept ++ flushed()));
perform({link, Number}) -> link(pid(Number));
perform({unlink, Number}) -> unlink(pid(Number));
perform({monitor, To, Key}) -> ets:insert(?BOARD, {{ref, Key}, monitor(process, target(To))});
perform({monitor, To, Key, Options}) -> ets:insert(?BOARD, {{ref, Key}, monitor(process, target(To), Options)});
perform({demonitor, Key, Options}) -> demonitor(ets:lookup_element(?BOARD, {ref, Key}, 2), Options);
perform({alias, Key, Options}) -> ets:insert(?BOARD, {{ref, Key}, alias(Options)});
perform({unalias, Key}) -> unalias(ets:lookup_element(?BOARD, {ref, Key}, 2));
perform({trap, Flag}) -> process_flag(trap_exit, Flag);
perform({exit_signal, Number, Why}) -> exit(pid(Number), Why);
perform({register, Name, Number}) -> register(Name, pid(Number));
perform({unregister, Name}) -> unregister(Name);
perform({whereis, Name}) -> whereis(Name);
perform({put, Key, Value}) -> put(Key, Value);
perform({erase, Key}) -> erase(Key);
perform({info, Number, Item}) -> sorted_info(process_info(pid(Number), Item));
perform({alive, Number}) -> is_process_alive(pid(Number));
perform({call, Number, Op}) -> called(pid(Number), Op);
perform({server_call, Number, Op}) -> server_call(pid(Number), Op);
perform({table, Name, Type, Protection, Heir}) -> ets:new(Name, [named_table, Type, Protection | heir(Heir)]);
perform({insert, Table, Key, Value}) -> ets:insert(Table, {Key, Value});
perform({lookup, Table, Key}) -> ets:lookup(Table, Key);
perform({count, Table, Key}) -> ets:update_counter(Table, Key, 1, {Key, 0});
perform({contents, Table}) -> lists:sort(ets:tab2list(Table));
perform({give, Table, Number}) -> ets:give_away(Table, pid(Number), gift);
perform({set_heir, Table, Heir}) -> [Option] = heir(Heir), ets:setopts(Table, Option);
perform({owner, Table}) -> ets:info(Table, owner);
perform({drop, Table}) -> ets:delete(Table);
perform({timer, send_after, Time, To, Key}) -> ets:insert(?BOARD, {{timer, Key}, erlang:send_after(Time, target(To), {rang, Key})});
perform({timer, start_timer, Time, To, Key}) -> ets:insert(?BOARD, {{timer, Key}, erlang:start_timer(Time, target(To), {rang, Key})});
perform({cancel, Key}) -> is_integer(erlang:cancel_timer(ets:lookup_element(?BOARD, {timer, Key}, 2)));
perform({read, Key}) -> is_integer(erlang:read_timer(ets:lookup_element(?BOARD, {timer, Key}, 2)));
perform({try_after, Why}) -> try exit(Why) catch exit:Got -> {caught, Got} after put(after_ran, true) end.

spawned(plain) -> spawn(?MODULE, loop, []);
spawned(function) -> spawn(fun() -> loop() end);
spawned(link) -> spawn_link(?MODULE, loop, []);
spawned(monitor) -> {P, _} = spawn_monitor(?MODULE, loop, []), P;
spawned(both) -> {P, _} = spawn_opt(?MODULE, loop, [], [link, monitor]), P;
spawned(tagged) -> {P, _} = spawn_opt(fun loop/0, [{monitor, [{tag, tagged}]}, {priority, high}]), P;
spawned(request) -> Id = spawn_request(?MODULE, loop, [], [link]), receive {spawn_reply, Id, ok, P} -> P end;
spawned(library) -> proc_lib:spawn(?MODULE, loop, []);
spawned(library_link) -> proc_lib:spawn_link(fun loop/0);
spawned(server) -> {ok, P} = gen_server:start(?MODULE, plain, []), P;
spawned(server_link) -> {ok, P} = gen_server:start_link(?MODULE, plain, []), P;
spawned(server_trapping) -> {ok, P} = gen_server:start_link(?MODULE, trapping, []), P;
spawned({server_fails, Why}) -> exit({not_started, gen_server:start(?MODULE, Why, [])}).

target({name, Name}) -> Name;
target({name_on_node, Name}) -> {Name, node()};
target({ref, Key}) -> ets:lookup_element(?BOARD, {ref, Key}, 2);
target(Number) -> pid(Number).

heir(none) -> [{heir, none}];
heir(Number) -> [{heir, pid(Number), inheritance}].

taken(Message) ->
    case lists:member(Message, kept()) of
        true -> put(kept, lists:delete(Message, kept())), taken;
        false -> receive Message -> taken after 0 -> not_there end
    end.

flushed() ->
    receive Message -> [Message | flushed()] after 0 -> [] end.

called(P, _) when P =:= self() -> itself;
called(P, Op) ->
    R = monitor(process, P, [{alias, reply_demonitor}]),
    P ! {call, R, Op},
    receive
        {R, Result} -> {answer, Result};
        {'DOWN', R, process, _, Why} -> {down, Why}
    end.

%% An actor by hand does not know calls of gen_server, so these are for servers only.
server_call(P, Op) ->
    case proc_lib:translate_initial_call(P) of
        {?MODULE, init, 1} -> {answer, gen_server:call(P, Op)};
        _ -> no_server
    end.

sorted_info({Item, List}) when Item =:= links; Item =:= monitors; Item =:= monitored_by; Item =:= dictionary; Item =:= messages ->
    {Item, lists:sort(without_identities(List))};
sorted_info(Other) -> Other.

%% --- What can be shown

without_identities(Pid) when is_pid(Pid) -> case ets:lookup(?BOARD, {tag, Pid}) of [{_, Tag}] -> Tag; [] -> pid end;
without_identities(Ref) when is_reference(Ref) -> ref;
without_identities(Fun) when is_function(Fun) -> function;
without_identities([{M, F, _, Location} | _]) when is_atom(M), is_atom(F), is_list(Location) -> stack;
without_identities([Head | Tail]) -> [without_identities(Head) | without_identities(Tail)];
without_identities(Tuple) when is_tuple(Tuple) -> list_to_tuple(without_identities(tuple_to_list(Tuple)));
without_identities(Other) -> Other.
