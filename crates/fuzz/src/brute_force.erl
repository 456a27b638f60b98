%% Tries out all inputs of a function.
-module(brute_force).
-export([all/3, one/3]).

%% What comes of every choice of one value from each list, in the order of the choices.
all(Module, Function, Parts) ->
    lists:reverse(each(Parts, [], {Module, Function}, [])).

each([], Args, {Module, Function}, Outcomes) ->
    [one(Module, Function, lists:reverse(Args)) | Outcomes];
each([Part | Parts], Args, Target, Outcomes) ->
    lists:foldl(fun(Value, Now) -> each(Parts, [Value | Args], Target, Now) end, Outcomes, Part).

%% {value, Value} | {Class, Reason}
one(Module, Function, Args) ->
    try apply(Module, Function, Args) of
        Value -> {value, Value}
    catch
        Class:Reason -> {Class, Reason}
    end.
