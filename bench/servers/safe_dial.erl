%% Bug: a safe that was dialled right is opened with a handle that is not there.
%% Needs: 6 calls, each with the right number.
%% Scenario: {ok, S} = safe_dial:start_link(), ok = safe_dial:turn(S, 31), ok = safe_dial:turn(S, 7), ok = safe_dial:turn(S, 22), ok = safe_dial:turn(S, 14), safe_dial:open(S)
%%? client: finds error:{no_handle, _}
-module(safe_dial).
-behaviour(gen_server).
-export([start_link/0, turn/2, open/1]).
-export([init/1, handle_call/3, handle_cast/2]).

-spec start_link() -> {ok, pid()}.
start_link() -> gen_server:start_link(?MODULE, [], []).

-spec turn(pid(), 0..39) -> ok.
turn(Safe, Number) -> gen_server:call(Safe, {turn, Number}).

-spec open(pid()) -> shut.
open(Safe) -> gen_server:call(Safe, open).

init([]) -> {ok, 0}.

handle_call({turn, 31}, _, 0) -> {reply, ok, 1};
handle_call({turn, 7}, _, 1) -> {reply, ok, 2};
handle_call({turn, 22}, _, 2) -> {reply, ok, 3};
handle_call({turn, 14}, _, 3) -> {reply, ok, 4};
handle_call({turn, _}, _, _) -> {reply, ok, 0};
handle_call(open, _, 4) -> error({no_handle, 4});
handle_call(open, _, _) -> {reply, shut, 0}.

handle_cast(_, S) -> {noreply, S}.
