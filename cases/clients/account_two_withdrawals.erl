%% A cash card with a limit for each withdrawal. The check looks at the balance when the card was issued, so that the
%% second withdrawal overdraws it, and the fee table has no row for that.
%%? client: finds error:{case_clause, _}
%% Scenario: {ok, C} = account_two_withdrawals:issue(100), ok = account_two_withdrawals:withdraw(C, 100), account_two_withdrawals:withdraw(C, 100)
-module(account_two_withdrawals).
-behaviour(gen_server).
-export([issue/1, withdraw/2, balance/1]).
-export([init/1, handle_call/3, handle_cast/2]).

-record(card, {issued :: non_neg_integer(), balance :: integer(), fees = 0 :: non_neg_integer()}).

-spec issue(0..1000) -> {ok, pid()}.
issue(Amount) -> gen_server:start_link(?MODULE, Amount, []).

-spec withdraw(pid(), 1..100) -> ok | refused.
withdraw(Card, Amount) -> gen_server:call(Card, {withdraw, Amount}).

-spec balance(pid()) -> integer().
balance(Card) -> gen_server:call(Card, balance).

init(Amount) -> {ok, #card{issued = Amount, balance = Amount}}.

handle_call({withdraw, N}, _, #card{issued = Issued} = C) when N > Issued -> {reply, refused, C};
handle_call({withdraw, N}, _, #card{balance = B, fees = F} = C) ->
    {reply, ok, C#card{balance = B - N, fees = F + fee(B - N)}};
handle_call(balance, _, #card{balance = B} = C) -> {reply, B, C}.

handle_cast(_, C) -> {noreply, C}.

fee(Left) ->
    case Left of
        _ when Left >= 500 -> 0;
        _ when Left >= 0 -> 1
    end.
