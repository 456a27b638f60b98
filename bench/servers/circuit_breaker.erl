%% Bug: a breaker that opened after five failures in a row cannot cope with a success of a call that was under way.
%% Needs: 7 calls, the same five times over.
%% Scenario: {ok, P} = circuit_breaker:start_link(), [closed, closed, closed, closed, open] = [circuit_breaker:failure(P) || _ <- lists:seq(1, 5)], circuit_breaker:success(P)
%%? client: finds error:function_clause
-module(circuit_breaker).
-behaviour(gen_server).
-export([start_link/0, failure/1, success/1, reset/1]).
-export([init/1, handle_call/3, handle_cast/2]).

-spec start_link() -> {ok, pid()}.
start_link() -> gen_server:start_link(?MODULE, [], []).

-spec failure(pid()) -> closed | open.
failure(Breaker) -> gen_server:call(Breaker, failure).

-spec success(pid()) -> closed.
success(Breaker) -> gen_server:call(Breaker, success).

-spec reset(pid()) -> ok.
reset(Breaker) -> gen_server:call(Breaker, reset).

init([]) -> {ok, {closed, 0}}.

handle_call(failure, _, {closed, N}) when N < 4 -> {reply, closed, {closed, N + 1}};
handle_call(failure, _, _) -> {reply, open, open};
handle_call(success, _, {closed, _}) -> {reply, closed, {closed, 0}};
handle_call(reset, _, _) -> {reply, ok, {closed, 0}}.

handle_cast(_, S) -> {noreply, S}.
