%% sys reads and replaces the state of a server, suspends and resumes it, and counts what it does.
%%! state()          ==> {[x,s],[x,s]}
%%! replaced()       ==> {[replaced,s],[replaced,s]}
%%! replaced_badly() ==> {{gen_server,system_replace_state,error,bug},[s]}
%%! suspended()      ==> {timeout,[s],[while_suspended,s]}
%%! status()         ==> {gen_server,running,true,[],running,[{"State",[s]}]}
%%! statistics()     ==> {3,3,ok,{ok,no_statistics}}
%%! terminated()     ==> over
%%! logged()         ==> [in,noreply,in,out]
%%! of_nobody()      ==> {exit,{noproc,{sys,get_state,[no_such_server_here]}}}
-module(server_system_messages).
-behaviour(gen_server).
-export([state/0, replaced/0, replaced_badly/0, suspended/0, status/0, statistics/0, terminated/0, logged/0, of_nobody/0,
         init/1, handle_call/3, handle_cast/2]).
init(S) -> {ok, S}.
handle_call(get, _, S) -> {reply, S, S}.
handle_cast(X, S) -> {noreply, [X | S]}.
start() -> {ok, P} = gen_server:start(?MODULE, [s], []), P.
state() -> P = start(), gen_server:cast(P, x), {sys:get_state(P), sys:get_state(P, 1000)}.
replaced() -> P = start(), {sys:replace_state(P, fun(S) -> [replaced | S] end), gen_server:call(P, get)}.
replaced_badly() ->
    P = start(),
    {try sys:replace_state(P, fun(_) -> error(bug) end) catch error:{callback_failed, {M, F}, {Class, Why}} -> {M, F, Class, Why} end,
     gen_server:call(P, get)}.
suspended() ->
    P = start(),
    ok = sys:suspend(P),
    gen_server:cast(P, while_suspended),
    InVain = try gen_server:call(P, get, 20) catch exit:{timeout, _} -> timeout end,
    Seen = sys:get_state(P),
    ok = sys:resume(P),
    {InVain, Seen, gen_server:call(P, get)}.
status() ->
    P = start(),
    {status, P, {module, Module}, [_, SysState, Parent, Debug, Misc]} = sys:get_status(P),
    [{header, _}, {data, Data}, {data, State}] = Misc,
    {Module, SysState, Parent =:= P, Debug, proplists:get_value("Status", Data), State}.
statistics() ->
    P = start(),
    ok = sys:statistics(P, true),
    [gen_server:call(P, get) || _ <- [1, 2, 3]],
    {ok, Counts} = sys:statistics(P, get),
    {proplists:get_value(messages_in, Counts), proplists:get_value(messages_out, Counts), sys:statistics(P, false), sys:statistics(P, get)}.
terminated() ->
    P = start(),
    R = monitor(process, P),
    ok = sys:terminate(P, over),
    receive {'DOWN', R, _, _, Why} -> Why end.
logged() ->
    P = start(),
    ok = sys:log(P, true),
    gen_server:cast(P, noted),
    gen_server:call(P, get),
    {ok, Log} = sys:log(P, get),
    [element(1, Event) || Event <- Log].
of_nobody() -> try sys:get_state(no_such_server_here) catch Class:Why -> {Class, Why} end.
