%% A server that is started inside crashes on a withdrawal that leaves exactly nothing.
%%? account/2: finds exit:{{empty, _}, {gen_server, call, _}} for (N, N) when N > 0; failures = 1
-module(server_bug_in_call).
-behaviour(gen_server).
-export([account/2, init/1, handle_call/3, handle_cast/2]).

-spec account(pos_integer(), pos_integer()) -> integer().
account(Deposit, Withdrawal) ->
    {ok, P} = gen_server:start(?MODULE, 0, []),
    gen_server:cast(P, {deposit, Deposit}),
    gen_server:call(P, {withdraw, Withdrawal}).

init(Balance) -> {ok, Balance}.
handle_cast({deposit, X}, Balance) -> {noreply, Balance + X}.
handle_call({withdraw, X}, _, Balance) when X > Balance -> {reply, Balance, Balance};
handle_call({withdraw, X}, _, X) -> error(empty);
handle_call({withdraw, X}, _, Balance) -> {reply, Balance - X, Balance - X}.
