%% Messages of several senders are taken in the order in which the receiver asks for them.
%%! by_sender(5)            ==> [{5,25},{4,16},{3,9},{2,4},{1,1}]
%%! by_tag()                ==> {3,1,2}
%%! order_of_one_sender(20) ==> true
%%! later_ones_first()      ==> [3,1,2]
%%! pinned_reference()      ==> {first,second}
-module(selective_between).
-export([by_sender/1, by_tag/0, order_of_one_sender/1, later_ones_first/0, pinned_reference/0]).
by_sender(N) ->
    Me = self(),
    Pids = [spawn(fun() -> Me ! {self(), K}, Me ! {self(), K * K} end) || K <- lists:seq(1, N)],
    [{receive {P, A} -> A end, receive {P, B} -> B end} || P <- lists:reverse(Pids)].
by_tag() ->
    Me = self(),
    [spawn(fun() -> Me ! {Tag, length(atom_to_list(Tag))} end) || Tag <- [a, bb, ccc]],
    {receive {ccc, X} -> X end, receive {a, Y} -> Y end, receive {bb, Z} -> Z end}.
order_of_one_sender(N) ->
    Me = self(),
    spawn(fun() -> [Me ! K || K <- lists:seq(1, N)] end),
    [receive K -> K end || _ <- lists:seq(1, N)] =:= lists:seq(1, N).
later_ones_first() ->
    Me = self(),
    spawn(fun() -> Me ! {low, 1}, Me ! {low, 2}, Me ! {high, 3}, Me ! done end),
    receive done -> ok end,
    drained([]).
drained(Got) ->
    receive {high, X} -> drained([X | Got])
    after 0 -> receive {low, X} -> drained([X | Got]) after 0 -> lists:reverse(Got) end
    end.
pinned_reference() ->
    Me = self(),
    P = spawn(fun() -> receive {From, R1} -> receive {From, R2} -> From ! {R2, second}, From ! {R1, first} end end end),
    [A, B] = [make_ref(), make_ref()],
    P ! {Me, A},
    P ! {Me, B},
    {receive {A, X} -> X end, receive {B, Y} -> Y end}.
