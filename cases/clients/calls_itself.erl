%% A tally whose report uses the module's own interface inside of the server, which calls itself if there is
%% anything to report.
%%? client: finds exit:{calling_self, _}
%% Scenario: {ok, P} = calls_itself:start_link(), "nothing" = calls_itself:report(P), ok = calls_itself:vote(P, yes), calls_itself:report(P)
-module(calls_itself).
-behaviour(gen_server).
-export([start_link/0, vote/2, total/1, report/1]).
-export([init/1, handle_call/3, handle_cast/2]).

-spec start_link() -> {ok, pid()}.
start_link() -> gen_server:start_link(?MODULE, [], []).

-spec vote(pid(), yes | no) -> ok.
vote(Tally, Vote) -> gen_server:cast(Tally, {vote, Vote}).

-spec total(pid()) -> non_neg_integer().
total(Tally) -> gen_server:call(Tally, total).

-spec report(pid()) -> string().
report(Tally) -> gen_server:call(Tally, report).

init([]) -> {ok, #{yes => 0, no => 0}}.

handle_call(total, _, #{yes := Yes, no := No} = S) -> {reply, Yes + No, S};
handle_call(report, _, #{yes := 0, no := 0} = S) -> {reply, "nothing", S};
handle_call(report, _, #{yes := Yes} = S) ->
    {reply, integer_to_list(Yes) ++ " of " ++ integer_to_list(total(self())), S}.

handle_cast({vote, Vote}, S) -> {noreply, maps:update_with(Vote, fun(N) -> N + 1 end, S)}.
