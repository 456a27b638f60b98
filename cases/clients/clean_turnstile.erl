%% A turnstile: a coin unlocks it, a push locks it again, and every event is welcome in every state.
%%? client: clean
-module(clean_turnstile).
-behaviour(gen_statem).
-export([start_link/0, coin/1, push/1, coins/1]).
-export([callback_mode/0, init/1, locked/3, unlocked/3]).

-spec start_link() -> {ok, pid()}.
start_link() -> gen_statem:start_link(?MODULE, [], []).

-spec coin(pid()) -> unlocked.
coin(Turnstile) -> gen_statem:call(Turnstile, coin).

-spec push(pid()) -> passed | locked.
push(Turnstile) -> gen_statem:call(Turnstile, push).

-spec coins(pid()) -> non_neg_integer().
coins(Turnstile) -> gen_statem:call(Turnstile, coins).

callback_mode() -> state_functions.

init([]) -> {ok, locked, 0}.

locked({call, From}, coin, Coins) -> {next_state, unlocked, Coins + 1, [{reply, From, unlocked}]};
locked({call, From}, push, _) -> {keep_state_and_data, [{reply, From, locked}]};
locked(Type, Event, Coins) -> anywhere(Type, Event, Coins).

unlocked({call, From}, coin, Coins) -> {keep_state, Coins + 1, [{reply, From, unlocked}]};
unlocked({call, From}, push, Coins) -> {next_state, locked, Coins, [{reply, From, passed}]};
unlocked(Type, Event, Coins) -> anywhere(Type, Event, Coins).

anywhere({call, From}, coins, Coins) -> {keep_state_and_data, [{reply, From, Coins}]};
anywhere(_, _, _) -> keep_state_and_data.
