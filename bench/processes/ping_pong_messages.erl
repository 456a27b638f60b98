%% Stresses sending and selective receiving between two processes, with a few messages that wait in between.
-module(ping_pong_messages).
-export([main/1, size/0]).

size() -> 400000.

main(N) ->
    Me = self(),
    Pong = spawn_link(fun() -> pong(Me, 0) end),
    [self() ! {waiting, K} || K <- lists:seq(1, 5)],
    Sum = ping(N, Pong, 0),
    Pong ! {Me, stop},
    receive {Pong, Seen} -> {Sum, Seen, length(waiting())} end.

ping(0, _, Sum) -> Sum;
ping(N, Pong, Sum) -> Pong ! {self(), N, [a, b]}, receive {Pong, N, X} -> ping(N - 1, Pong, (Sum + X) band 16#ffffff) end.

pong(Me, Seen) ->
    receive
        {Me, stop} -> Me ! {self(), Seen};
        {Me, N, L} -> Me ! {self(), N, N + length(L)}, pong(Me, Seen + 1)
    end.

waiting() -> receive {waiting, K} -> [K | waiting()] after 0 -> [] end.
