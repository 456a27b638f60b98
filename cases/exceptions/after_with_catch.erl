%% Catch and after together: after follows the handler, even when that raises.
%%! f(1) ==> {fine,[start,done]}
%%! f(2) ==> {{handled,simple},[start,{handled,simple},done]}
%%! f(3) ==> {{throw,rethrown},[start,handler,done]}
-module(after_with_catch).
-export([f/1]).
f(N) ->
    put(log, []),
    R = (try run(N) catch C:R0 -> {C, R0} end),
    {R, lists:reverse(get(log))}.
run(N) ->
    try note(start), step(N)
    catch
        throw:again -> note(handler), throw(rethrown);
        throw:T -> note({handled, T})
    after
        note(done)
    end.
step(1) -> fine;
step(2) -> throw(simple);
step(3) -> throw(again).
note(X) -> put(log, [X | get(log)]), X.
