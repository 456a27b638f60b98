%% Bug: when the leader leaves, the one who joined last follows, even if that one has left before.
%% Needs: 6 calls, names equal to earlier ones.
%% Scenario: {ok, P} = leader_leaves:start_link(), ann = leader_leaves:join(P, ann), ann = leader_leaves:join(P, bob), ok = leader_leaves:leave(P, bob), ok = leader_leaves:leave(P, ann), leader_leaves:promote(P)
%%? client: finds error:{badkey, _}
-module(leader_leaves).
-behaviour(gen_server).
-export([start_link/0, join/2, leave/2, promote/1]).
-export([init/1, handle_call/3, handle_cast/2]).

-record(team, {ranks = #{} :: #{atom() => pos_integer()}, leader = none, last = none}).

-spec start_link() -> {ok, pid()}.
start_link() -> gen_server:start_link(?MODULE, [], []).

%% The leader, who is the first to join.
-spec join(pid(), atom()) -> atom().
join(Team, Name) -> gen_server:call(Team, {join, {name, Name}}).

-spec leave(pid(), atom()) -> ok.
leave(Team, Name) -> gen_server:call(Team, {leave, {name, Name}}).

%% Raises the rank of the leader.
-spec promote(pid()) -> pos_integer() | no_leader.
promote(Team) -> gen_server:call(Team, promote).

init([]) -> {ok, #team{}}.

handle_call({join, Name}, _, #team{leader = none, ranks = Rs} = T) ->
    {reply, element(2, Name), T#team{leader = Name, ranks = Rs#{Name => 1}}};
handle_call({join, Name}, _, #team{leader = Leader, ranks = Rs} = T) when is_map_key(Name, Rs) ->
    {reply, element(2, Leader), T};
handle_call({join, Name}, _, #team{leader = Leader, ranks = Rs} = T) ->
    {reply, element(2, Leader), T#team{last = Name, ranks = Rs#{Name => 1}}};
handle_call({leave, Name}, _, #team{leader = Name, ranks = Rs, last = Last} = T) ->
    {reply, ok, T#team{leader = Last, last = none, ranks = maps:remove(Name, Rs)}};
handle_call({leave, Name}, _, #team{ranks = Rs} = T) ->
    {reply, ok, T#team{ranks = maps:remove(Name, Rs)}};
handle_call(promote, _, #team{leader = none} = T) ->
    {reply, no_leader, T};
handle_call(promote, _, #team{leader = Leader, ranks = Rs} = T) ->
    Rank = maps:get(Leader, Rs) + 1,
    {reply, Rank, T#team{ranks = Rs#{Leader := Rank}}}.

handle_cast(_, T) -> {noreply, T}.
