%% A buffer that flushes when nothing comes for a second. Flushing an empty buffer was not expected and ends the server.
%%? client: finds exit:nothing_to_flush
%% Scenario: {ok, P} = idle_server_gives_up:start(), 0 = idle_server_gives_up:flushed(P), timer:sleep(1100), idle_server_gives_up:flushed(P)
-module(idle_server_gives_up).
-behaviour(gen_server).
-export([start/0, write/2, flushed/1]).
-export([init/1, handle_call/3, handle_cast/2, handle_info/2]).

-spec start() -> {ok, pid()}.
start() -> gen_server:start(?MODULE, [], []).

-spec write(pid(), binary()) -> ok.
write(Buffer, Data) -> gen_server:cast(Buffer, {write, Data}).

%% The number of bytes that were flushed.
-spec flushed(pid()) -> non_neg_integer().
flushed(Buffer) -> gen_server:call(Buffer, flushed).

init([]) -> {ok, {[], 0}}.

handle_call(flushed, _, {_, Bytes} = S) -> {reply, Bytes, S, 1000}.

handle_cast({write, Data}, {Waiting, Bytes}) -> {noreply, {[Data | Waiting], Bytes}, 1000}.

handle_info(timeout, {[], _} = S) -> {stop, nothing_to_flush, S};
handle_info(timeout, {Waiting, Bytes}) -> {noreply, {[], Bytes + iolist_size(Waiting)}};
handle_info(_, S) -> {noreply, S}.
