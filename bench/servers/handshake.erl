%% Bug: a connection that was acknowledged with the right number and has sent nothing divides by the number of packets.
%% Needs: 4 calls, a number that follows from an earlier reply.
%% Scenario: {ok, C} = handshake:start_link(77), {ok, N} = handshake:connect(C), ok = handshake:acknowledge(C, N + 1), handshake:close(C)
%%? client: finds error:badarith
-module(handshake).
-behaviour(gen_statem).
-export([start_link/1, connect/1, acknowledge/2, send/2, close/1]).
-export([callback_mode/0, init/1, handle_event/4]).

-spec start_link(0..65535) -> {ok, pid()}.
start_link(Seed) -> gen_statem:start_link(?MODULE, Seed, []).

-spec connect(pid()) -> {ok, non_neg_integer()} | {error, state}.
connect(Connection) -> gen_statem:call(Connection, connect).

-spec acknowledge(pid(), non_neg_integer()) -> ok | {error, state | number}.
acknowledge(Connection, Number) -> gen_statem:call(Connection, {acknowledge, Number}).

-spec send(pid(), binary()) -> ok | {error, state}.
send(Connection, Data) -> gen_statem:call(Connection, {send, Data}).

%% The mean size of the packets that were sent.
-spec close(pid()) -> {ok, non_neg_integer()} | {error, state}.
close(Connection) -> gen_statem:call(Connection, close).

callback_mode() -> handle_event_function.

init(Seed) -> {ok, idle, Seed}.

handle_event({call, From}, connect, idle, Seed) ->
    Number = (Seed * 40503 + 12345) band 16#ffff,
    {next_state, {waiting, Number}, Seed, [{reply, From, {ok, Number}}]};
handle_event({call, From}, {acknowledge, N}, {waiting, M}, _) when N =:= M + 1 ->
    {next_state, open, [], [{reply, From, ok}]};
handle_event({call, From}, {acknowledge, _}, {waiting, M}, _) ->
    {next_state, idle, M, [{reply, From, {error, number}}]};
handle_event({call, From}, {send, Data}, open, Sizes) ->
    {keep_state, [byte_size(Data) | Sizes], [{reply, From, ok}]};
handle_event({call, From}, close, open, Sizes) ->
    Mean = lists:sum(Sizes) div length(Sizes),
    {next_state, idle, Mean, [{reply, From, {ok, Mean}}]};
handle_event({call, From}, _, _, _) ->
    {keep_state_and_data, [{reply, From, {error, state}}]};
handle_event(_, _, _, _) ->
    keep_state_and_data.
