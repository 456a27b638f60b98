%% Messages wait in the mailbox of a process until it asks for them, and are lost with it.
%%! queued()     ==> [a,b,c,none]
%%! lost()       ==> {normal,d,undefined}
%%! forwarded(3) ==> [hop,hop,hop]
%%! flushed()    ==> {10,[]}
-module(mailbox_of_another).
-export([queued/0, lost/0, forwarded/1, flushed/0]).
queued() ->
    Me = self(),
    P = spawn(fun() -> receive go -> Me ! {self(), [receive M -> M after 0 -> none end || _ <- [1, 2, 3, 4]]} end end),
    [P ! M || M <- [a, b, c, go]],
    receive {P, Got} -> Got end.
lost() ->
    {P, R} = spawn_monitor(fun() -> receive stop -> ok end end),
    [P ! M || M <- [a, b, stop, c]],
    receive {'DOWN', R, _, _, Why} -> {Why, P ! d, process_info(P, messages)} end.
forwarded(N) ->
    Me = self(),
    First = lists:foldl(fun(_, Next) -> spawn(fun() -> receive M -> Next ! [hop | M] end end) end, Me, lists:seq(1, N)),
    First ! [],
    receive M -> M end.
flushed() ->
    Me = self(),
    spawn(fun() -> [Me ! K || K <- lists:seq(1, 10)], Me ! done end),
    receive done -> ok end,
    {length(flush()), flush()}.
flush() -> receive M -> [M | flush()] after 0 -> [] end.
