%% A function that is known by samples is called: it gets its arguments without shadows, and what it comes to is a sample.
%% What it calls in turn is its own affair. A function that acts on the outside has done so elsewhere: what came of that is
%% asked for.
-module(beagle_samples).
-file("beagle_samples.erl", 1).

-export([call/3]).

call(Module, Function, Args) ->
    case beagle_sample:enter() of
        false -> run(Module, Function, Args);
        true -> sampled(Module, Function, Args)
    end.

sampled(Module, Function, Args) ->
    try run(Module, Function, beagle_sample:plain(Args)) of
        Value -> beagle_sample:returned(Module, Function, Args, Value)
    catch
        Class:Reason:Trace ->
            beagle_sample:raised(Module, Function, Args),
            erlang:raise(Class, Reason, Trace)
    end.

run(Module, Function, Args) ->
    case beagle_sample:is_outside(Module, Function, length(Args)) of
        true -> beagle_sample:outside(Module, Function, Args);
        false -> apply(beagle_sample:own_code(Module, Function, length(Args)), Args)
    end.
