%% A heart that beats by messages to itself. Any other message kills it: handle_info/2 has no clause for the rest.
%%? client: finds error:function_clause
%% Scenario: {ok, P} = info_unexpected:start_link(), 0 = info_unexpected:beats(P), P ! hello, timer:sleep(20), info_unexpected:beats(P)
-module(info_unexpected).
-behaviour(gen_server).
-export([start_link/0, beats/1]).
-export([init/1, handle_call/3, handle_cast/2, handle_info/2]).

-spec start_link() -> {ok, pid()}.
start_link() -> gen_server:start_link(?MODULE, [], []).

-spec beats(pid()) -> non_neg_integer().
beats(Heart) -> gen_server:call(Heart, beats).

init([]) -> beat(), {ok, 0}.

handle_call(beats, _, Beats) -> {reply, Beats, Beats}.

handle_cast(_, Beats) -> {noreply, Beats}.

handle_info(beat, Beats) -> beat(), {noreply, Beats + 1}.

beat() -> erlang:send_after(1000, self(), beat).
