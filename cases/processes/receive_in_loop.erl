%% A loop that serves its own mailbox with a state.
%%! f([{add, 3}, {sub, 1}, get, {add, 10}, get, stop]) ==> {12,[2,12]}
-module(receive_in_loop).
-export([f/1]).
f(Messages) ->
    [self() ! M || M <- Messages],
    loop(0, []).
loop(N, Out) ->
    receive
        {add, K} -> loop(N + K, Out);
        {sub, K} -> loop(N - K, Out);
        get -> loop(N, [N | Out]);
        stop -> {N, lists:reverse(Out)}
    end.
