%% A bank with accounts that are processes of their own: a transfer to the same account makes the account call itself.
%%? client: finds exit:{calling_self, _}
%% Scenario: {ok, A} = transfer_to_itself:open(10), {ok, B} = transfer_to_itself:open(0), ok = transfer_to_itself:transfer(A, B, 4), 6 = transfer_to_itself:balance(A), transfer_to_itself:transfer(A, A, 1)
-module(transfer_to_itself).
-behaviour(gen_server).
-export([open/1, balance/1, transfer/3]).
-export([init/1, handle_call/3, handle_cast/2]).

-type account() :: pid().

-spec open(non_neg_integer()) -> {ok, account()}.
open(Balance) -> gen_server:start(?MODULE, Balance, []).

-spec balance(account()) -> non_neg_integer().
balance(Account) -> gen_server:call(Account, balance).

-spec transfer(From :: account(), To :: account(), pos_integer()) -> ok | {error, insufficient_funds}.
transfer(From, To, Amount) -> gen_server:call(From, {transfer, To, Amount}).

init(Balance) -> {ok, Balance}.

handle_call(balance, _, Balance) ->
    {reply, Balance, Balance};
handle_call({receive_from, _, Amount}, _, Balance) ->
    {reply, ok, Balance + Amount};
handle_call({transfer, _, Amount}, _, Balance) when Amount > Balance ->
    {reply, {error, insufficient_funds}, Balance};
handle_call({transfer, To, Amount}, _, Balance) ->
    ok = gen_server:call(To, {receive_from, self(), Amount}),
    {reply, ok, Balance - Amount}.

handle_cast(_, Balance) -> {noreply, Balance}.
