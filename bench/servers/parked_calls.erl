%% Bug: hanging up a call that is parked leaves its timer running, which gives its line back for the second time.
%% Needs: 6 steps, time at the right place.
%% Scenario: {ok, P} = parked_calls:start_link(50), ok = parked_calls:ring(P), ok = parked_calls:park(P), ok = parked_calls:hang_up(P), 0 = parked_calls:busy(P), timer:sleep(100), parked_calls:busy(P)
%%? client: finds spec:N when N < 0
-module(parked_calls).
-behaviour(gen_server).
-export([start_link/1, ring/1, park/1, pick_up/1, hang_up/1, busy/1]).
-export([init/1, handle_call/3, handle_cast/2, handle_info/2]).

-record(exchange, {patience :: pos_integer(), busy = 0 :: integer(), parked = none :: none | reference()}).

-spec start_link(Milliseconds :: 1..60000) -> {ok, pid()}.
start_link(Patience) -> gen_server:start_link(?MODULE, Patience, []).

-spec ring(pid()) -> ok | engaged.
ring(Exchange) -> gen_server:call(Exchange, ring).

%% A caller who is parked gives up after a while.
-spec park(pid()) -> ok | {error, no_call | parked}.
park(Exchange) -> gen_server:call(Exchange, park).

-spec pick_up(pid()) -> ok | {error, nobody_parked}.
pick_up(Exchange) -> gen_server:call(Exchange, pick_up).

-spec hang_up(pid()) -> ok | {error, no_call}.
hang_up(Exchange) -> gen_server:call(Exchange, hang_up).

%% The number of lines in use.
-spec busy(pid()) -> non_neg_integer().
busy(Exchange) -> gen_server:call(Exchange, busy).

init(Patience) -> {ok, #exchange{patience = Patience}}.

handle_call(busy, _, #exchange{busy = B} = E) -> {reply, B, E};
handle_call(ring, _, #exchange{busy = 4} = E) -> {reply, engaged, E};
handle_call(ring, _, #exchange{busy = B} = E) -> {reply, ok, E#exchange{busy = B + 1}};
handle_call(pick_up, _, #exchange{parked = none} = E) -> {reply, {error, nobody_parked}, E};
handle_call(pick_up, _, #exchange{parked = Timer} = E) ->
    _ = erlang:cancel_timer(Timer),
    {reply, ok, E#exchange{parked = none}};
handle_call(_, _, #exchange{busy = B} = E) when B =< 0 -> {reply, {error, no_call}, E};
handle_call(park, _, #exchange{patience = Patience, parked = none} = E) ->
    {reply, ok, E#exchange{parked = erlang:start_timer(Patience, self(), give_up)}};
handle_call(park, _, E) -> {reply, {error, parked}, E};
handle_call(hang_up, _, #exchange{busy = B} = E) -> {reply, ok, E#exchange{busy = B - 1}}.

handle_cast(_, E) -> {noreply, E}.

handle_info({timeout, Timer, give_up}, #exchange{parked = Timer, busy = B} = E) ->
    {noreply, E#exchange{parked = none, busy = B - 1}};
handle_info(_, E) ->
    {noreply, E}.
