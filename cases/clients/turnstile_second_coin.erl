%% A turnstile as a state machine. A coin that is put in while it is unlocked is an event that nobody thought of.
%%? client: finds error:function_clause
%% Scenario: {ok, T} = turnstile_second_coin:start_link(), unlocked = turnstile_second_coin:coin(T), turnstile_second_coin:coin(T)
-module(turnstile_second_coin).
-behaviour(gen_statem).
-export([start_link/0, coin/1, push/1]).
-export([callback_mode/0, init/1, locked/3, unlocked/3]).

-spec start_link() -> {ok, pid()}.
start_link() -> gen_statem:start_link(?MODULE, [], []).

-spec coin(pid()) -> unlocked.
coin(Turnstile) -> gen_statem:call(Turnstile, coin).

-spec push(pid()) -> passed | locked.
push(Turnstile) -> gen_statem:call(Turnstile, push).

callback_mode() -> state_functions.

init([]) -> {ok, locked, 0}.

locked({call, From}, coin, Coins) -> {next_state, unlocked, Coins + 1, [{reply, From, unlocked}]};
locked({call, From}, push, _) -> {keep_state_and_data, [{reply, From, locked}]};
locked(info, _, _) -> keep_state_and_data.

unlocked({call, From}, push, Coins) -> {next_state, locked, Coins, [{reply, From, passed}]};
unlocked(info, _, _) -> keep_state_and_data.
