%% Exceptions in the arguments of a call happen before the call.
%%! f() ==> {stopped,[1]}
-module(before_the_call).
-export([f/0]).
f() ->
    put(log, []),
    R = try pair(note(1), throw(stop), note(2)) catch stop -> stopped end,
    {R, get(log)}.
pair(_, _, _) -> note(called).
note(X) -> put(log, [X | get(log)]), X.
