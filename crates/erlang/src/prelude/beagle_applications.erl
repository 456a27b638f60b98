%% Starting and stopping applications: what OTP's application controller and its masters do, on one node.
-module(beagle_applications).
-file("beagle_applications.erl", 1).

-export([master/6, start/2, stop/1]).

start(Name, _Type) ->
    case beagle_application:is_running(Name) of
        true -> {error, {already_started, Name}};
        false -> load_and_start(Name)
    end.

load_and_start(Name) ->
    case application_controller:get_all_key(Name) of
        {ok, Keys} ->
            start_described(Name, Keys);
        undefined ->
            case application_controller:load_application(Name) of
                ok -> started(Name, self());
                Error -> Error
            end
    end.

start_described(Name, Keys) ->
    Optional = key(optional_applications, Keys),
    Needed = [Other || Other <- key(applications, Keys), not beagle_application:is_running(Other),
                       not lists:member(Other, Optional)],
    case {Needed, key(mod, Keys)} of
        {[First | _], _} -> {error, {not_started, First}};
        {[], {Module, Args}} -> start_master(Name, Module, Args, key(start_phases, Keys));
        {[], _} -> started(Name, self())
    end.

key(Name, Keys) ->
    proplists:get_value(Name, Keys, []).

started(Name, Master) ->
    beagle_application:started(Name, Master),
    ok.

start_master(Name, Module, Args, Phases) ->
    Answer = make_ref(),
    spawn(beagle_applications, master, [self(), Answer, Name, Module, Args, Phases]),
    receive {Answer, Result} -> Result end.

%% The group leader of all processes of an application, and the parent of the first of them.
master(Starter, Answer, Name, Module, Args, Phases) ->
    process_flag(trap_exit, true),
    group_leader(self(), self()),
    beagle_application:started(Name, self()),
    Call = {Module, start, [normal, Args]},
    case catch Module:start(normal, Args) of
        {ok, Top} when is_pid(Top) ->
            run_phases(Module, Phases),
            Starter ! {Answer, ok},
            serve(Name, Module, Top, []);
        {ok, Top, State} when is_pid(Top) ->
            run_phases(Module, Phases),
            Starter ! {Answer, ok},
            serve(Name, Module, Top, State);
        {error, Reason} ->
            failed(Name, Starter, Answer, {Reason, Call});
        Other ->
            failed(Name, Starter, Answer, {bad_return, {Call, Other}})
    end.

failed(Name, Starter, Answer, Why) ->
    beagle_application:stopped(Name),
    Starter ! {Answer, {error, Why}}.

run_phases(Module, [_ | _] = Phases) ->
    [Module:start_phase(Phase, normal, Args) || {Phase, Args} <- Phases];
run_phases(_, _) ->
    ok.

serve(Name, Module, Top, State) ->
    receive
        {'EXIT', Top, _} ->
            beagle_application:stopped(Name),
            catch Module:stop(State);
        {stop, Stopper, Answer} ->
            Last = prepare_stop(Module, State),
            exit(Top, shutdown),
            receive {'EXIT', Top, _} -> ok end,
            catch Module:stop(Last),
            beagle_application:stopped(Name),
            Stopper ! Answer;
        _ ->
            serve(Name, Module, Top, State)
    end.

prepare_stop(Module, State) ->
    case erlang:function_exported(Module, prep_stop, 1) of
        true ->
            case catch Module:prep_stop(State) of
                {'EXIT', _} -> State;
                Last -> Last
            end;
        false -> State
    end.

stop(Name) ->
    case beagle_application:master(Name) of
        undefined ->
            {error, {not_started, Name}};
        none ->
            beagle_application:stopped(Name),
            ok;
        Master ->
            Answer = make_ref(),
            Monitor = monitor(process, Master),
            Master ! {stop, self(), Answer},
            receive
                Answer -> demonitor(Monitor, [flush]), ok;
                {'DOWN', Monitor, _, _, _} -> ok
            end
    end.
