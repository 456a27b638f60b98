-module(race).
-behaviour(gen_server).
-export([arrivals/0, counted/0, served/0, polled/0, registered/0]).
-export([init/1, handle_call/3, handle_cast/2]).
arrivals() ->
    Me = self(),
    [spawn(fun() -> Me ! X end) || X <- [a, b, c]],
    [receive X -> X end || _ <- [1, 2, 3]].
counted() ->
    Table = ets:new(counter, [public]),
    ets:insert(Table, {n, 0}),
    Me = self(),
    [spawn(fun() ->
         [{n, N}] = ets:lookup(Table, n),
         ets:insert(Table, {n, N + 1}),
         Me ! done
     end) || _ <- [1, 2, 3]],
    [receive done -> ok end || _ <- [1, 2, 3]],
    ets:lookup(Table, n).
served() ->
    {ok, Server} = gen_server:start_link(?MODULE, [], []),
    Me = self(),
    [spawn_link(fun() -> Me ! {done, gen_server:call(Server, {add, X})} end) || X <- [1, 2, 3]],
    [receive {done, _} -> ok end || _ <- [1, 2, 3]],
    All = gen_server:call(Server, all),
    gen_server:stop(Server),
    All.
polled() ->
    Me = self(),
    Child = spawn_link(fun() -> Found = receive go -> found after 0 -> nothing end, Me ! {self(), Found} end),
    Child ! go,
    receive {Child, Found} -> Found end.
registered() ->
    Me = self(),
    [spawn_link(fun() ->
         Me ! try register(chosen, self()), receive stop -> X end catch error:badarg -> taken end
     end) || X <- [a, b]],
    receive taken -> ok end,
    chosen ! stop,
    receive Winner -> Winner end.
init([]) -> {ok, []}.
handle_call({add, X}, _, All) -> {reply, ok, [X | All]};
handle_call(all, _, All) -> {reply, All, All}.
handle_cast(_, All) -> {noreply, All}.
