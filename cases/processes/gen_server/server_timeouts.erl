%% A timeout in a return counts until the next message; continue comes before any message.
%%! init_timeout()               ==> [timeout]
%%! after_call()                 ==> [timeout]
%%! message_stops_it()           ==> [other]
%%! zero_comes_behind_messages() ==> [a,b]
%%! continued()                  ==> [{continue,1},{continue,2},done]
%%! continued_again()            ==> [before,{continue,x},done,late]
%%! hibernated()                 ==> [wake]
-module(server_timeouts).
-behaviour(gen_server).
-export([init_timeout/0, after_call/0, message_stops_it/0, zero_comes_behind_messages/0, continued/0, continued_again/0, hibernated/0,
         init/1, handle_call/3, handle_cast/2, handle_info/2, handle_continue/2]).
init(Result) -> Result.
handle_call({timeout, T}, _, S) -> {reply, ok, S, T};
handle_call(log, _, S) -> {reply, lists:reverse(S), []};
handle_call({continue, C}, _, S) -> {reply, ok, [before | S], {continue, C}}.
handle_cast({tell, To}, S) -> To ! {log, lists:reverse(S)}, {noreply, []};
handle_cast(X, S) -> {noreply, [X | S], 50}.
handle_info({notify, To}, _) -> {noreply, To, 10};
handle_info(timeout, To) when is_pid(To) -> To ! timed_out, {noreply, []};
handle_info(M, S) -> {noreply, [M | S]}.
handle_continue([C | Cs], S) -> {noreply, [{continue, C} | S], {continue, Cs}};
handle_continue([], S) -> {noreply, [done | S]}.
start(Init) -> {ok, P} = gen_server:start(?MODULE, Init, []), P.
init_timeout() -> P = start({ok, [], 5}), timer:sleep(60), gen_server:call(P, log).
after_call() -> P = start({ok, []}), ok = gen_server:call(P, {timeout, 5}), timer:sleep(60), gen_server:call(P, log).
message_stops_it() -> P = start({ok, []}), ok = gen_server:call(P, {timeout, 400}), P ! other, timer:sleep(450), gen_server:call(P, log).
zero_comes_behind_messages() ->
    Me = self(),
    Server = proc_lib:spawn(fun() ->
        receive go -> ok end,
        gen_server:enter_loop(?MODULE, [], [], 0)
    end),
    _ = [Server ! M || M <- [a, b, go]],
    gen_server:cast(Server, {tell, Me}),
    receive {log, Log} -> Log end.
continued() -> gen_server:call(start({ok, [], {continue, [1, 2]}}), log).
continued_again() ->
    P = start({ok, []}),
    Me = self(),
    ok = gen_server:call(P, {continue, [x]}),
    P ! late,
    gen_server:cast(P, {tell, Me}),
    receive {log, Log} -> Log end.
hibernated() -> P = start({ok, [], hibernate}), P ! wake, gen_server:call(P, log).
