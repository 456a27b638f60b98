%% A broker that forgets subscribers that end.
%%! published()       ==> {2,[{news,1},{sport,3},{news,4}]}
%%! unsubscribed()    ==> {0,[{news,1}]}
%%! dead_subscriber() ==> 0
-module(publish_subscribe).
-export([published/0, unsubscribed/0, dead_subscriber/0]).
broker(Subs) ->
    receive
        {subscribe, P, Topic} -> broker([{monitor(process, P), P, Topic} | Subs]);
        {unsubscribe, P, Topic} ->
            {Gone, Left} = lists:partition(fun({_, Q, T}) -> Q =:= P andalso T =:= Topic end, Subs),
            [demonitor(R, [flush]) || {R, _, _} <- Gone],
            broker(Left);
        {publish, Topic, M} -> [P ! {Topic, M} || {_, P, T} <- Subs, T =:= Topic], broker(Subs);
        {count, From} -> From ! {count, length(Subs)}, broker(Subs);
        {'DOWN', R, _, _, _} -> broker(lists:keydelete(R, 1, Subs))
    end.
start() -> spawn_link(fun() -> broker([]) end).
count(B) -> B ! {count, self()}, receive {count, N} -> N end.
got() -> receive {T, M} -> [{T, M} | got()] after 0 -> [] end.
published() ->
    B = start(),
    [B ! {subscribe, self(), T} || T <- [news, sport]],
    [B ! {publish, T, M} || {T, M} <- [{news, 1}, {weather, 2}, {sport, 3}, {news, 4}]],
    {count(B), got()}.
unsubscribed() ->
    B = start(),
    B ! {subscribe, self(), news},
    B ! {publish, news, 1},
    B ! {unsubscribe, self(), news},
    B ! {publish, news, 2},
    {count(B), got()}.
dead_subscriber() ->
    B = start(),
    {P, R} = spawn_monitor(fun() -> B ! {subscribe, self(), news}, count(B) end),
    receive {'DOWN', R, _, P, normal} -> count(B) end.
