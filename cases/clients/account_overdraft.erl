%% A bank account that must not be overdrawn. Withdrawals do not look at what is on hold, and taking the held amount
%% later is not checked any more.
%%? client: finds spec:{ok, B} when B < 0
%% Scenario: {ok, A} = account_overdraft:open(10), ok = account_overdraft:hold(A, 10), {ok, 0} = account_overdraft:withdraw(A, 10), account_overdraft:capture(A)
-module(account_overdraft).
-behaviour(gen_server).
-export([open/1, deposit/2, withdraw/2, hold/2, capture/1]).
-export([init/1, handle_call/3, handle_cast/2]).

-spec open(non_neg_integer()) -> {ok, pid()}.
open(Balance) -> gen_server:start_link(?MODULE, Balance, []).

-spec deposit(pid(), pos_integer()) -> {ok, non_neg_integer()}.
deposit(Account, Amount) -> gen_server:call(Account, {deposit, Amount}).

-spec withdraw(pid(), pos_integer()) -> {ok, non_neg_integer()} | {error, insufficient_funds}.
withdraw(Account, Amount) -> gen_server:call(Account, {withdraw, Amount}).

%% Puts an amount aside; capture/1 takes it.
-spec hold(pid(), pos_integer()) -> ok | {error, insufficient_funds | on_hold}.
hold(Account, Amount) -> gen_server:call(Account, {hold, Amount}).

-spec capture(pid()) -> {ok, non_neg_integer()} | {error, nothing_on_hold}.
capture(Account) -> gen_server:call(Account, capture).

init(Balance) -> {ok, #{balance => Balance, held => 0}}.

handle_call({deposit, N}, _, #{balance := B} = S) -> {reply, {ok, B + N}, S#{balance := B + N}};
handle_call({withdraw, N}, _, #{balance := B} = S) when N =< B -> {reply, {ok, B - N}, S#{balance := B - N}};
handle_call({withdraw, _}, _, S) -> {reply, {error, insufficient_funds}, S};
handle_call({hold, _}, _, #{held := H} = S) when H > 0 -> {reply, {error, on_hold}, S};
handle_call({hold, N}, _, #{balance := B} = S) when N =< B -> {reply, ok, S#{held := N}};
handle_call({hold, _}, _, S) -> {reply, {error, insufficient_funds}, S};
handle_call(capture, _, #{held := 0} = S) -> {reply, {error, nothing_on_hold}, S};
handle_call(capture, _, #{balance := B, held := H} = S) -> {reply, {ok, B - H}, S#{balance := B - H, held := 0}}.

handle_cast(_, S) -> {noreply, S}.
