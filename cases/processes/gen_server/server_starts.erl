%% What init returns or raises is what the starter gets, and how the server ends.
%%! start({ok, s})                      ==> {ok,s}
%%! start({ok, s, hibernate})           ==> {ok,s}
%%! start({ok, s, {continue, c}})       ==> {ok,continued}
%%! start(ignore)                       ==> ignore
%%! start({stop, reason})               ==> {error,reason}
%%! start({stop, normal})               ==> {error,normal}
%%! start({raise, error, bug})          ==> {error,{bug,stack}}
%%! start({raise, exit, quit})          ==> {error,quit}
%%! start({raise, throw, {ok, thrown}}) ==> {ok,thrown}
%%! start(nonsense)                     ==> {error,{bad_return_value,nonsense}}
%%! start_link({stop, reason})          ==> {{error,reason},reason}
%%! start_link(ignore)                  ==> {ignore,normal}
%%! start_link({raise, error, bug})     ==> {{error,{bug,stack}},{bug,[]}}
%%! start_monitor({ok, s})              ==> {ok,normal}
%%! start_monitor({stop, reason})       ==> {error,reason,nothing}
%%! untrapped({stop, reason})           ==> reason
-module(server_starts).
-behaviour(gen_server).
-export([start/1, start_link/1, start_monitor/1, untrapped/1, init/1, handle_continue/2, handle_call/3, handle_cast/2, handle_info/2]).
init({raise, Class, Why}) -> erlang:raise(Class, Why, []);
init(Result) -> Result.
handle_continue(c, s) -> {noreply, continued}.
handle_call(get, _, S) -> {reply, S, S}.
handle_cast(_, S) -> {noreply, S}.
handle_info(timeout, s) -> {noreply, timed_out}.
plain({error, {Why, Stack}}) when is_list(Stack) -> {error, {Why, stack}};
plain({ok, P}) -> {ok, gen_server:call(P, get)};
plain(Other) -> Other.
start(Init) -> plain(gen_server:start(?MODULE, Init, [])).
start_link(Init) ->
    process_flag(trap_exit, true),
    Result = plain(gen_server:start_link(?MODULE, Init, [])),
    {Result, receive {'EXIT', _, {Why, [_ | _]}} -> {Why, stack}; {'EXIT', _, Why} -> Why end}.
start_monitor(Init) ->
    case gen_server:start_monitor(?MODULE, Init, []) of
        {ok, {P, R}} ->
            gen_server:stop(P),
            receive {'DOWN', R, process, P, Why} -> {ok, Why} end;
        {error, Why} -> {error, Why, receive {'DOWN', _, _, _, Down} -> Down after 0 -> nothing end}
    end.
untrapped(Init) ->
    {_, R} = spawn_monitor(fun() -> exit({returned, gen_server:start_link(?MODULE, Init, [])}) end),
    receive {'DOWN', R, _, _, Why} -> Why end.
