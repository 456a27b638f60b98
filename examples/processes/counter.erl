%% A counter that several processes increase, each by reading and writing.
-module(counter).
-export([counted/0]).

-spec counted() -> [{n, pos_integer()}].
counted() ->
    Table = ets:new(counter, [public]),
    ets:insert(Table, {n, 0}),
    Main = self(),
    [spawn(fun() -> increase(Table), Main ! done end) || _ <- [1, 2, 3]],
    [receive done -> ok end || _ <- [1, 2, 3]],
    ets:lookup(Table, n).

increase(Table) ->
    [{n, N}] = ets:lookup(Table, n),
    ets:insert(Table, {n, N + 1}).
