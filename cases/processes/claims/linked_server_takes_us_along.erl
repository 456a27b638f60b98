%% A linked server that crashes ends its starter by a signal, which no catch sees.
%%? store/1: finds exit:{full, _} for (N) when N > 100; failures = 1
-module(linked_server_takes_us_along).
-behaviour(gen_server).
-export([store/1, init/1, handle_call/3, handle_cast/2]).

-spec store(integer()) -> ok.
store(N) ->
    {ok, P} = gen_server:start_link(?MODULE, [], []),
    try gen_server:call(P, {put, N}) catch _:_ -> ok end.

init(S) -> {ok, S}.
handle_cast(_, S) -> {noreply, S}.
handle_call({put, N}, _, _) when N > 100 -> error(full);
handle_call({put, N}, _, S) -> {reply, ok, [N | S]}.
