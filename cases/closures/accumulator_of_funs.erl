%% A pipeline of stages is a fold over funs.
%%! f(5) ==> "63"
-module(accumulator_of_funs).
-export([f/1]).
f(X) ->
    Stages = [fun(V) -> V + 1 end, fun(V) -> V * V end, fun integer_to_list/1, fun lists:reverse/1],
    lists:foldl(fun(Stage, V) -> Stage(V) end, X, Stages).
