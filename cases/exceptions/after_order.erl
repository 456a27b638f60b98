%% after runs in every case, last, and its value is dropped.
%%! f(value) ==> {42,[body,of_part,cleanup]}
%%! f(throw) ==> {{caught,ball},[body,cleanup,{caught,ball}]}
%%! f(error) ==> {{err,oops},[body,cleanup,{err,oops}]}
-module(after_order).
-export([f/1]).
f(K) ->
    put(log, []),
    R = try inner(K) catch throw:X -> note({caught, X}); error:X -> note({err, X}) end,
    {R, lists:reverse(get(log))}.
inner(K) ->
    try note(body), go(K) of V -> note(of_part), V
    after note(cleanup), ignored
    end.
go(value) -> 42;
go(throw) -> throw(ball);
go(error) -> error(oops).
note(X) -> put(log, [X | get(log)]), X.
