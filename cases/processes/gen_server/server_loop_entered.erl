%% enter_loop makes a server of a process that proc_lib started, named or not.
%%! plain()           ==> {42,ok}
%%! named()           ==> {8,ok}
%%! name_missing()    ==> process_not_registered
%%! not_by_proc_lib() ==> process_was_not_started_by_proc_lib
-module(server_loop_entered).
-behaviour(gen_server).
-export([plain/0, named/0, name_missing/0, not_by_proc_lib/0, start/1, init/1, handle_call/3, handle_cast/2]).
-define(NAME, server_loop_entered_name).
init(_) -> error(not_called).
handle_call(double, _, S) -> {reply, S * 2, S}.
handle_cast(stop, S) -> {stop, normal, S}.
start(plain) -> proc_lib:init_ack({ok, self()}), gen_server:enter_loop(?MODULE, [], 21);
start(named) -> register(?NAME, self()), proc_lib:init_ack({ok, self()}), gen_server:enter_loop(?MODULE, [], 4, {local, ?NAME});
start(missing) -> proc_lib:init_ack({ok, self()}), gen_server:enter_loop(?MODULE, [], 4, {local, ?NAME}).
plain() -> {ok, P} = proc_lib:start_link(?MODULE, start, [plain]), {gen_server:call(P, double), gen_server:stop(P)}.
named() -> {ok, _} = proc_lib:start(?MODULE, start, [named]), {gen_server:call(?NAME, double), gen_server:stop(?NAME)}.
name_missing() ->
    process_flag(trap_exit, true),
    {ok, P} = proc_lib:start_link(?MODULE, start, [missing]),
    receive {'EXIT', P, Why} -> Why end.
not_by_proc_lib() ->
    {_, R} = spawn_monitor(fun() -> gen_server:enter_loop(?MODULE, [], 4) end),
    receive {'DOWN', R, _, _, Why} -> Why end.
