%% terminate is called on the parent's exit only if the server traps exits; kill asks nobody.
%%! parent_ends(true, shutdown)  ==> {shutdown,{terminated,shutdown}}
%%! parent_ends(false, shutdown) ==> {shutdown,nothing}
%%! parent_ends(true, normal)    ==> {normal,{terminated,normal}}
%%! other_ends(true)             ==> {ok,{info,true,other}}
%%! other_ends(false)            ==> {other,nothing}
%%! killed()                     ==> {killed,nothing}
%%! raises_in_terminate()        ==> {{exit,in_terminate},in_terminate}
-module(server_terminates).
-behaviour(gen_server).
-export([parent_ends/2, other_ends/1, killed/0, raises_in_terminate/0, init/1, handle_call/3, handle_cast/2, handle_info/2, terminate/2]).
init({To, Trap}) -> process_flag(trap_exit, Trap), {ok, To}.
handle_call(_, _, S) -> {reply, ok, S}.
handle_cast(_, S) -> {noreply, S}.
handle_info({'EXIT', P, Why}, S) -> S ! {info, is_pid(P), Why}, {noreply, S}.
terminate(_, raise) -> error(in_terminate);
terminate(Why, To) -> To ! {terminated, Why}.
parent_ends(Trap, Why) ->
    Me = self(),
    Parent = spawn(fun() -> {ok, P} = gen_server:start_link(?MODULE, {Me, Trap}, []), Me ! {server, P}, receive go -> exit(Why) end end),
    receive {server, P} -> ok end,
    R = monitor(process, P),
    Parent ! go,
    receive {'DOWN', R, _, _, End} -> {End, seen()} end.
other_ends(Trap) ->
    {ok, P} = gen_server:start(?MODULE, {self(), Trap}, []),
    R = monitor(process, P),
    Other = spawn(fun() -> link(P), exit(other) end),
    RO = monitor(process, Other),
    receive {'DOWN', RO, _, _, _} -> ok end,
    case Trap of
        true -> {gen_server:call(P, sync), seen()};
        false -> receive {'DOWN', R, _, _, End} -> {End, seen()} end
    end.
killed() ->
    {ok, P} = gen_server:start(?MODULE, {self(), true}, []),
    R = monitor(process, P),
    exit(P, kill),
    receive {'DOWN', R, _, _, End} -> {End, seen()} end.
raises_in_terminate() ->
    {ok, P} = gen_server:start(?MODULE, {raise, true}, []),
    R = monitor(process, P),
    Stop = try gen_server:stop(P) catch Class:{Why, _} -> {Class, Why} end,
    receive {'DOWN', R, _, _, {Why2, _}} -> {Stop, Why2} end.
seen() -> receive M -> M after 0 -> nothing end.
