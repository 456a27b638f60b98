%% A call that gets no answer exits in the caller, with the reason and the call.
%%! nobody()           ==> {exit,{noproc,{gen_server,call,[no_such_server_here,x]}}}
%%! dead()             ==> {exit,noproc,{gen_server,call,[pid,x]}}
%%! itself()           ==> {exit,calling_self,{gen_server,call,[pid,x]}}
%%! in_vain()          ==> {{exit,timeout,{gen_server,call,[pid,never,20]}},true}
%%! dies_meanwhile()   ==> {exit,died,{gen_server,call,[pid,die]}}
%%! killed_meanwhile() ==> {exit,killed,{gen_server,call,[pid,kill]}}
%%! cast_to_nobody()   ==> ok
%%! stop_nobody()      ==> {exit,noproc}
-module(server_call_fails).
-behaviour(gen_server).
-export([nobody/0, dead/0, itself/0, in_vain/0, dies_meanwhile/0, killed_meanwhile/0, cast_to_nobody/0, stop_nobody/0,
         init/1, handle_call/3, handle_cast/2]).
init(S) -> {ok, S}.
handle_call(never, _, S) -> {noreply, S};
handle_call(die, _, _) -> exit(died);
handle_call(kill, _, _) -> exit(self(), kill), receive never -> ok end;
handle_call(ask_itself, _, S) -> {reply, caught(fun() -> gen_server:call(self(), x) end), S}.
handle_cast(_, S) -> {noreply, S}.
caught(F) -> try F() catch Class:{Why, {M, Name, [P | Rest]}} when is_pid(P) -> {Class, Why, {M, Name, [pid | Rest]}}; Class:Why -> {Class, Why} end.
start() -> {ok, P} = gen_server:start(?MODULE, s, []), P.
nobody() -> caught(fun() -> gen_server:call(no_such_server_here, x) end).
dead() -> P = start(), gen_server:stop(P), caught(fun() -> gen_server:call(P, x) end).
itself() -> gen_server:call(start(), ask_itself).
in_vain() -> P = start(), {caught(fun() -> gen_server:call(P, never, 20) end), is_process_alive(P)}.
dies_meanwhile() -> P = start(), caught(fun() -> gen_server:call(P, die) end).
killed_meanwhile() -> P = start(), caught(fun() -> gen_server:call(P, kill) end).
cast_to_nobody() -> gen_server:cast(no_such_server_here, x).
stop_nobody() -> caught(fun() -> gen_server:stop(no_such_server_here) end).
