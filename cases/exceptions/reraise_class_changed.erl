%% A handler may change the class.
%%! f(error) ==> {throw,x}
%%! f(exit)  ==> {error,x}
%%! f(throw) ==> {exit,x}
-module(reraise_class_changed).
-export([f/1]).
f(C) ->
    try turn(C) catch K:R -> {K, R} end.
turn(C) ->
    try erlang:raise(C, x, [])
    catch
        error:R -> throw(R);
        throw:R -> exit(R);
        exit:R -> error(R)
    end.
