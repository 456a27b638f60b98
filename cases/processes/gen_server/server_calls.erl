%% A gen_server answers calls, does casts and sees other messages, in the order in which they came.
%%! counted()      ==> {10,{15,true},15,15}
%%! in_order()     ==> {ok,b,ok,{d},[{cast,a},{info,b},{cast,{c,1}},{info,{d}}],[]}
%%! linked_start() ==> {true,ok,false,{links,[]}}
%%! stopped()      ==> shutdown
-module(server_calls).
-behaviour(gen_server).
-export([counted/0, in_order/0, linked_start/0, stopped/0, init/1, handle_call/3, handle_cast/2, handle_info/2]).
init(N) -> {ok, {N, []}}.
handle_call(get, _, {N, _} = S) -> {reply, N, S};
handle_call({add, K}, {From, _}, {N, Log}) -> {reply, {N + K, is_pid(From)}, {N + K, Log}};
handle_call(log, _, {N, Log}) -> {reply, lists:reverse(Log), {N, []}}.
handle_cast(Cast, {N, Log}) -> {noreply, {N, [{cast, Cast} | Log]}}.
handle_info(Info, {N, Log}) -> {noreply, {N, [{info, Info} | Log]}}.
counted() ->
    {ok, P} = gen_server:start(?MODULE, 10, []),
    {gen_server:call(P, get), gen_server:call(P, {add, 5}), gen_server:call(P, get, infinity), gen_server:call(P, get, 1000)}.
in_order() ->
    {ok, P} = gen_server:start(?MODULE, 0, []),
    {ok = gen_server:cast(P, a), P ! b, gen_server:cast(P, {c, 1}), P ! {d}, gen_server:call(P, log), gen_server:call(P, log)}.
linked_start() ->
    {ok, P} = gen_server:start_link(?MODULE, 0, []),
    {process_info(self(), links) =:= {links, [P]}, gen_server:stop(P), is_process_alive(P), process_info(self(), links)}.
stopped() ->
    {ok, P} = gen_server:start(?MODULE, 0, []),
    {ok, R} = {ok, monitor(process, P)},
    ok = gen_server:stop(P, shutdown, infinity),
    receive {'DOWN', R, _, _, Why} -> Why end.
