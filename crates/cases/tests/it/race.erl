-module(race).
-behaviour(gen_server).
-export([applied/0, arrivals/0, counted/0, ended/0, name_of_dead/0, polled/0, registered/0, served/0, started/0]).
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
%% Which function is called is known only when it is.
applied() ->
    Me = self(),
    {Module, Send} = {binary_to_atom(<<"erlang">>), fun erlang:send/2},
    [spawn(Run) || Run <- [fun() -> apply(Module, send, [Me, a]) end, fun() -> Module:send(Me, b) end, fun() -> Send(Me, c) end]],
    [receive X -> X end || _ <- [1, 2, 3]].
%% The first function of a process is such a one.
started() ->
    Start = fun erlang:spawn/3,
    apply(erlang, spawn, [erlang, send, [self(), a]]),
    Start(erlang, send, [self(), b]),
    [receive X -> X end || _ <- [1, 2]].
%% By a return, an error and an exit.
ended() ->
    All = [spawn_monitor(Run) || Run <- [fun() -> ok end, fun() -> error(wrong) end, fun() -> exit(over) end]],
    [receive {'DOWN', _, process, Pid, Reason} -> {position(Pid, All, 1), kind(Reason)} end || _ <- All].
position(Pid, [{Pid, _} | _], At) -> At;
position(Pid, [_ | Rest], At) -> position(Pid, Rest, At + 1).
kind({Reason, [_ | _]}) -> Reason;
kind(Reason) -> Reason.
%% The end of a process that returns takes its name away.
name_of_dead() ->
    Child = spawn(fun() -> register(short, self()) end),
    Monitor = monitor(process, Child),
    Found = whereis(short),
    receive {'DOWN', Monitor, process, Child, _} -> ok end,
    {Found =:= Child, whereis(short)}.
init([]) -> {ok, []}.
handle_call({add, X}, _, All) -> {reply, ok, [X | All]};
handle_call(all, _, All) -> {reply, All, All}.
handle_cast(_, All) -> {noreply, All}.
