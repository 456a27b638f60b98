%% Gives out the numbers of channels. The next number is guessed from how many are in use, which is wrong after
%% an earlier one was released.
%%? client: finds error:{in_use, _}
%% Scenario: {ok, P} = id_in_use_again:start_link(), 1 = id_in_use_again:open(P), 2 = id_in_use_again:open(P), ok = id_in_use_again:close(P, 1), id_in_use_again:open(P)
-module(id_in_use_again).
-behaviour(gen_server).
-export([start_link/0, open/1, close/2, is_open/2]).
-export([init/1, handle_call/3, handle_cast/2]).

-type channel() :: pos_integer().

-spec start_link() -> {ok, pid()}.
start_link() -> gen_server:start_link(?MODULE, [], []).

-spec open(pid()) -> channel().
open(Channels) -> gen_server:call(Channels, open).

-spec close(pid(), channel()) -> ok | {error, not_open}.
close(Channels, Channel) -> gen_server:call(Channels, {close, Channel}).

-spec is_open(pid(), channel()) -> boolean().
is_open(Channels, Channel) -> gen_server:call(Channels, {is_open, Channel}).

init([]) -> {ok, []}.

handle_call(open, _, Open) ->
    Channel = length(Open) + 1,
    lists:member(Channel, Open) andalso error({in_use, Channel}),
    {reply, Channel, [Channel | Open]};
handle_call({close, Channel}, _, Open) ->
    case lists:member(Channel, Open) of
        true -> {reply, ok, lists:delete(Channel, Open)};
        false -> {reply, {error, not_open}, Open}
    end;
handle_call({is_open, Channel}, _, Open) ->
    {reply, lists:member(Channel, Open), Open}.

handle_cast(_, Open) -> {noreply, Open}.
