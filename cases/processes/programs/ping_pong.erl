%% Two processes send a number to and fro until it is used up.
%%! play(0)   ==> [{ping,0},{pong,0}]
%%! play(1)   ==> [{ping,1},{pong,0}]
%%! play(7)   ==> [{ping,4},{pong,3}]
%%! play(100) ==> [{ping,50},{pong,50}]
-module(ping_pong).
-export([play/1]).
play(N) ->
    Me = self(),
    [Ping, Pong] = [spawn_link(fun() -> player(Name, Me, 0) end) || Name <- [ping, pong]],
    Ping ! {ball, Pong, N},
    [receive {Name, Hits} -> {Name, Hits} end || Name <- [ping, pong]].
player(Name, Me, Hits) ->
    receive
        {ball, Other, 0} -> Other ! over, Me ! {Name, Hits};
        {ball, Other, N} -> Other ! {ball, self(), N - 1}, player(Name, Me, Hits + 1);
        over -> Me ! {Name, Hits}
    end.
