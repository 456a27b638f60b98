%% A gen_server without a single specification: what may be asked follows from what its callbacks match on.
%% Starting the clock twice meets a state without a clause.
%%? client: finds error:function_clause
%% Scenario: {ok, P} = no_specs_at_all:start_link(), ok = no_specs_at_all:go(P), no_specs_at_all:go(P)
-module(no_specs_at_all).
-behaviour(gen_server).
-export([start_link/0, go/1, halt/1, lap/2, laps/1]).
-export([init/1, handle_call/3, handle_cast/2]).

start_link() -> gen_server:start_link(?MODULE, [], []).
go(Clock) -> gen_server:call(Clock, go).
halt(Clock) -> gen_server:call(Clock, halt).
lap(Clock, Name) -> gen_server:cast(Clock, {lap, Name}).
laps(Clock) -> gen_server:call(Clock, laps).

init([]) -> {ok, {halted, []}}.

handle_call(go, _, {halted, Laps}) -> {reply, ok, {running, Laps}};
handle_call(halt, _, {_, Laps}) -> {reply, ok, {halted, Laps}};
handle_call(laps, _, {_, Laps} = S) -> {reply, Laps, S}.

handle_cast({lap, Name}, {running, Laps}) -> {noreply, {running, [Name | Laps]}};
handle_cast({lap, _}, S) -> {noreply, S}.
