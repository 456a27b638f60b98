%% Bug: a lamp that is started at its brightest can still be made brighter by one step.
%% Needs: 2 calls, a boundary.
%% Scenario: {ok, P} = dimmer:start_link(20), dimmer:brighter(P)
%%? client: finds spec:N when N > 20
-module(dimmer).
-behaviour(gen_server).
-export([start_link/1, brighter/1, darker/1]).
-export([init/1, handle_call/3, handle_cast/2]).

-spec start_link(0..20) -> {ok, pid()}.
start_link(Level) -> gen_server:start_link(?MODULE, Level, []).

-spec brighter(pid()) -> 0..20.
brighter(Lamp) -> gen_server:call(Lamp, brighter).

-spec darker(pid()) -> 0..20.
darker(Lamp) -> gen_server:call(Lamp, darker).

init(Level) -> {ok, Level}.

handle_call(brighter, _, Level) when Level > 20 -> {reply, Level, Level};
handle_call(brighter, _, Level) -> {reply, Level + 1, Level + 1};
handle_call(darker, _, 0) -> {reply, 0, 0};
handle_call(darker, _, Level) -> {reply, Level - 1, Level - 1}.

handle_cast(_, Level) -> {noreply, Level}.
