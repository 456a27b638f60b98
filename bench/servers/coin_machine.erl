%% Bug: the machine has no way to give 30 back, so that buying at 100 with exactly 130 inserted fails.
%% Needs: 5 calls, a certain sum.
%% Scenario: {ok, M} = coin_machine:start_link(), 100 = coin_machine:insert(M, 100), 120 = coin_machine:insert(M, 20), 130 = coin_machine:insert(M, 10), coin_machine:buy(M)
%%? client: finds error:{badmatch, false}
-module(coin_machine).
-behaviour(gen_server).
-export([start_link/0, insert/2, buy/1, refund/1]).
-export([init/1, handle_call/3, handle_cast/2]).

-type coin() :: 10 | 20 | 50 | 100.

-spec start_link() -> {ok, pid()}.
start_link() -> gen_server:start_link(?MODULE, 0, []).

-spec insert(pid(), coin()) -> 0..200 | {error, too_much}.
insert(Machine, Coin) -> gen_server:call(Machine, {insert, Coin}).

%% Buys for 100, and gives change.
-spec buy(pid()) -> [coin()] | {error, too_little}.
buy(Machine) -> gen_server:call(Machine, buy).

-spec refund(pid()) -> 0..200.
refund(Machine) -> gen_server:call(Machine, refund).

init(Credit) -> {ok, Credit}.

handle_call({insert, Coin}, _, Credit) when Credit + Coin =< 200 -> {reply, Credit + Coin, Credit + Coin};
handle_call({insert, _}, _, Credit) -> {reply, {error, too_much}, Credit};
handle_call(buy, _, Credit) when Credit < 100 -> {reply, {error, too_little}, Credit};
handle_call(buy, _, Credit) ->
    Change = [{0, []}, {10, [10]}, {20, [20]}, {40, [20, 20]}, {50, [50]}, {60, [50, 10]}, {70, [50, 20]},
              {80, [50, 20, 10]}, {90, [50, 20, 20]}, {100, [100]}],
    {_, Coins} = lists:keyfind(Credit - 100, 1, Change),
    {reply, Coins, 0};
handle_call(refund, _, Credit) -> {reply, Credit, 0}.

handle_cast(_, Credit) -> {noreply, Credit}.
