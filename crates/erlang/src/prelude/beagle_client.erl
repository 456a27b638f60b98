%% What an unknown client of a module does: it asks what to do next, does it, and passes on what came of it. The player of the
%% run (`beagle_play`) decides and records.
%%
%% The results of all steps so far are passed along, the latest first.
-module(beagle_client).
-file("beagle_client.erl", 1).

-export([run/0, idle/0, ended/0, answering/1, answer/2, replying/1, reply/2]).

%% Turns that other processes get after a step. Those that never come to rest are not waited for.
-define(PATIENCE, 100).

run() ->
    step([]).

step(Results) ->
    case beagle_play:act(Results) of
        done -> ok;
        {call, Module, Function, Args} -> call(Module, Function, Args, Results);
        {apply, Function, Args} -> call(erlang, apply, [Function, Args], Results);
        {send, To, Message} -> call(erlang, send, [To, Message], Results);
        {wait, Time} -> call(timer, sleep, [Time], Results);
        bring -> call(erlang, spawn, [timer, sleep, [infinity]], Results);
        {kill, Process} -> call(erlang, exit, [Process, kill], Results);
        {check, Module, Function, Value} -> check(Module, Function, Value, Results);
        {check_state, Module, Function, Process} -> check(Module, Function, sys:get_state(Process), Results)
    end.

call(Module, Function, Args, Results) ->
    try apply(Module, Function, Args) of
        Result ->
            settle(?PATIENCE),
            next(beagle_play:acted(Result, Results), Result, Results)
    catch
        Class:Reason:Trace ->
            settle(?PATIENCE),
            case beagle_play:refused(Class, Reason, Trace, Results) of
                raise -> erlang:raise(Class, Reason, Trace);
                over -> ok;
                go_on -> step([refused | Results])
            end
    end.

next(go_on, Result, Results) -> step([Result | Results]);
next(over, _, _) -> ok.

%% An invariant that does not hold is a match that fails, as in the text that the user gets.
check(Module, Function, Value, Results) ->
    true = Module:Function(Value),
    step([true | Results]).

%% Processes of somebody else that a function is given: one that does nothing, one that is no more, one that answers every
%% call alike, and one that replies to plain messages in the usual ways.
idle() ->
    spawn(timer, sleep, [infinity]).

ended() ->
    {Process, Monitor} = spawn_monitor(erlang, self, []),
    receive {'DOWN', Monitor, _, _, _} -> Process end.

answering(Answer) ->
    spawn(?MODULE, answer, [Answer, first]).

answer(Answer, Which) ->
    receive
        {'$gen_call', {_, _} = From, _} ->
            note(Which),
            gen:reply(From, Answer),
            answer(Answer, further);
        _ ->
            answer(Answer, Which)
    end.

%% Somebody else need not give the same answer twice: what the run does then is not known.
note(first) -> ok;
note(further) -> erlang:processes().

replying(Answer) ->
    spawn(?MODULE, reply, [Answer, first]).

reply(Answer, Which) ->
    receive
        Message when is_tuple(Message) ->
            note(Which),
            Parts = tuple_to_list(Message),
            Tag = hd([Part || Part <- Parts, is_reference(Part)] ++ [self()]),
            [Part ! {Tag, Answer} || Part <- Parts, is_pid(Part)]
    end,
    reply(Answer, further).

%% What the step has set going comes to its end before the next one.
settle(0) ->
    ok;
settle(Turns) ->
    case beagle_play:is_alone() of
        true -> ok;
        false -> erlang:yield(), settle(Turns - 1)
    end.
