%% What a function does that is an input: it asks what it is, looks at what it was given, and answers, raises,
%% or calls a function that it was given and looks at what comes of it. Every question is answered by the player
%% of the run (`beagle_play`), who decides and records.
%%
%% A scope is a list of the functions that an activation has at hand.
-module(beagle_interaction).
-file("beagle_interaction.erl", 1).

-export([call/3, prepared/4, run/3, set_up/1]).

call(Function, Scope, Args) ->
    case beagle_play:resolve(Function, Scope) of
        {scope, Other} -> apply(Other, Args);
        Table -> enter(beagle_play:look_up(Table, Args, Scope))
    end.

enter({Node, Scope}) ->
    case beagle_play:choose(Node, Scope) of
        {answer, Value} -> Value;
        {raise, Class, Reason} -> erlang:raise(Class, Reason, [{beagle_interaction, raise, 0, []}]);
        {probe, Function, Args, Returned, Raised} -> probe(Function, Args, Returned, Raised, Scope)
    end.

probe(Function, Args, Returned, Raised, Scope) ->
    try apply(Function, Args) of
        Value -> enter(beagle_play:look_up(Returned, [Value], Scope))
    catch
        Class:Reason:Trace ->
            case beagle_play:caught(Raised, Class, Reason, Scope) of
                reraise -> erlang:raise(Class, Reason, Trace);
                Next -> enter(Next)
            end
    end.

%% What a user has called before each run. What it asks for in its surroundings, every run has.
prepared([{M, F, A} | Setups], Module, Function, Args) ->
    apply(M, F, A),
    prepared(Setups, Module, Function, Args);
prepared([], Module, Function, Args) ->
    beagle_play:prepared(),
    apply(Module, Function, Args).

%% Likewise, once for all runs.
set_up(Setups) ->
    [apply(Module, Function, Args) || {Module, Function, Args} <- Setups],
    ok.

%% A result that is a function is no result yet: it is applied, too.
run(Module, Function, Args) ->
    continue(apply(Module, Function, Args), 0, []).

continue(Result, Depth, Scope) ->
    case beagle_play:continue(Result, Depth, Scope) of
        done -> Result;
        {apply, Function, Args, Inner} -> continue(apply(Function, Args), Depth + 1, Inner)
    end.
