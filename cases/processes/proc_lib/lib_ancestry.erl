%% Processes of proc_lib know their ancestors and the call they began with.
%%! initial_call()  ==> {lib_ancestry,wait,['Argument__1','Argument__2']}
%%! translated()    ==> {{lib_ancestry,wait,2},{initial_call,{proc_lib,init_p,5}}}
%%! of_server()     ==> {{lib_ancestry,init,['Argument__1']},{lib_ancestry,init,1},{initial_call,{proc_lib,init_p,5}}}
%%! ancestors()     ==> true
%%! plain_process() ==> {false,{proc_lib,init_p,5}}
-module(lib_ancestry).
-behaviour(gen_server).
-export([initial_call/0, translated/0, of_server/0, ancestors/0, plain_process/0, wait/2, init/1, handle_call/3, handle_cast/2]).
init(S) -> {ok, S}.
handle_call(ancestors, _, S) -> {reply, get('$ancestors'), S}.
handle_cast(_, S) -> {noreply, S}.
wait(_, _) -> receive stop -> ok end.
started(P) -> is_list(element(2, process_info(P, dictionary))) andalso P.
initial_call() -> P = started(proc_lib:spawn(?MODULE, wait, [a, b])), wait_until_ready(P), proc_lib:initial_call(P).
wait_until_ready(P) ->
    case process_info(P, [status, current_function]) of
        [{status, waiting}, {current_function, {?MODULE, wait, 2}}] -> ok;
        _ -> erlang:yield(), wait_until_ready(P)
    end.
translated() -> P = proc_lib:spawn(?MODULE, wait, [a, b]), wait_until_ready(P), {proc_lib:translate_initial_call(P), process_info(P, initial_call)}.
of_server() ->
    {ok, P} = gen_server:start(?MODULE, s, []),
    {proc_lib:initial_call(P), proc_lib:translate_initial_call(P), process_info(P, initial_call)}.
ancestors() ->
    {ok, P} = gen_server:start_link(?MODULE, s, []),
    [Parent | _] = gen_server:call(P, ancestors),
    Parent =:= self().
plain_process() ->
    P = spawn(?MODULE, wait, [a, b]),
    wait_until_ready(P),
    {proc_lib:initial_call(P), proc_lib:translate_initial_call(P)}.
