%% Bug: the share of an answer divides by the number of votes, which is zero at first.
%% Needs: 2 calls.
%% Scenario: {ok, P} = poll_share:start_link(), poll_share:share(P, yes)
%%? client: finds error:badarith
-module(poll_share).
-behaviour(gen_server).
-export([start_link/0, vote/2, share/2]).
-export([init/1, handle_call/3, handle_cast/2]).

-type answer() :: yes | no | abstain.

-spec start_link() -> {ok, pid()}.
start_link() -> gen_server:start_link(?MODULE, [], []).

-spec vote(pid(), answer()) -> ok.
vote(Poll, Answer) -> gen_server:cast(Poll, {vote, Answer}).

-spec share(pid(), answer()) -> 0..100.
share(Poll, Answer) -> gen_server:call(Poll, {share, Answer}).

init([]) -> {ok, []}.

handle_call({share, Answer}, _, Votes) ->
    {reply, 100 * length([V || V <- Votes, V =:= Answer]) div length(Votes), Votes}.

handle_cast({vote, Answer}, Votes) -> {noreply, [Answer | Votes]}.
