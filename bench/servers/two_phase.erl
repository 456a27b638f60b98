%% Bug: the coordinator asks a participant who asks it back when a third change is prepared, and both wait.
%% Needs: 4 calls; a deadlock.
%% Scenario: {ok, C} = two_phase:start_link(), yes = two_phase:prepare(C, a), yes = two_phase:prepare(C, b), two_phase:prepare(C, c)
%%? client: finds deadlock
-module(two_phase).
-behaviour(gen_server).
-export([start_link/0, prepare/2, commit/1]).
-export([init/1, handle_call/3, handle_cast/2]).

-spec start_link() -> {ok, pid()}.
start_link() -> gen_server:start_link(?MODULE, coordinator, []).

-spec prepare(pid(), atom()) -> yes | no.
prepare(Coordinator, Change) -> gen_server:call(Coordinator, {prepare, Change}, infinity).

%% How many changes were made.
-spec commit(pid()) -> non_neg_integer().
commit(Coordinator) -> gen_server:call(Coordinator, commit, infinity).

init(coordinator) ->
    {ok, Participant} = gen_server:start_link(?MODULE, {participant, self()}, []),
    {ok, {coordinator, Participant, []}};
init({participant, Coordinator}) ->
    {ok, {participant, Coordinator, 0}}.

handle_call({prepare, Change}, _, {coordinator, P, Changes}) ->
    Vote = gen_server:call(P, vote, infinity),
    {reply, Vote, {coordinator, P, [Change || Vote =:= yes] ++ Changes}};
handle_call(commit, _, {coordinator, P, Changes}) ->
    ok = gen_server:call(P, forget, infinity),
    {reply, length(Changes), {coordinator, P, []}};
handle_call(vote, _, {participant, C, N}) when N < 2 -> {reply, yes, {participant, C, N + 1}};
handle_call(vote, _, {participant, C, _}) -> _ = commit(C), {reply, yes, {participant, C, 1}};
handle_call(forget, _, {participant, C, _}) -> {reply, ok, {participant, C, 0}}.

handle_cast(_, S) -> {noreply, S}.
