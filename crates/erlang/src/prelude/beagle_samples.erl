%% A function that is known by samples is called: it gets its arguments without shadows, and what it comes to is a sample.
%% What it calls in turn is its own affair.
-module(beagle_samples).
-file("beagle_samples.erl", 1).

-export([call/3]).

call(Module, Function, Args) ->
    Own = beagle_sample:own_code(Module, Function, length(Args)),
    case beagle_sample:enter() of
        false -> apply(Own, Args);
        true -> sampled(Module, Function, Args, Own)
    end.

sampled(Module, Function, Args, Own) ->
    try apply(Own, beagle_sample:plain(Args)) of
        Value -> beagle_sample:returned(Module, Function, Args, Value)
    catch
        Class:Reason:Trace ->
            beagle_sample:raised(Module, Function, Args),
            erlang:raise(Class, Reason, Trace)
    end.
