%% Bug: merging a group with itself removes it while it is still needed.
%% Needs: 3 calls, the same token twice.
%% Scenario: {ok, P} = merged_groups:start_link(), G = merged_groups:new(P, ann), merged_groups:merge(P, G, G)
%%? client: finds error:{badkey, _}
-module(merged_groups).
-behaviour(gen_server).
-export([start_link/0, new/2, merge/3, members/2]).
-export([init/1, handle_call/3, handle_cast/2]).

-type group() :: reference().

-spec start_link() -> {ok, pid()}.
start_link() -> gen_server:start_link(?MODULE, [], []).

-spec new(pid(), atom()) -> group().
new(Server, Member) -> gen_server:call(Server, {new, Member}).

%% Moves the members of the second group into the first.
-spec merge(pid(), group(), group()) -> ok | {error, unknown}.
merge(Server, Into, From) -> gen_server:call(Server, {merge, Into, From}).

-spec members(pid(), group()) -> {ok, [atom()]} | error.
members(Server, Group) -> gen_server:call(Server, {members, Group}).

init([]) -> {ok, #{}}.

handle_call({new, Member}, _, Groups) ->
    Group = make_ref(),
    {reply, Group, Groups#{Group => [Member]}};
handle_call({merge, A, B}, _, Groups) when is_map_key(A, Groups), is_map_key(B, Groups) ->
    {Members, Rest} = maps:take(B, Groups),
    {reply, ok, maps:update_with(A, fun(Ms) -> Members ++ Ms end, Rest)};
handle_call({merge, _, _}, _, Groups) -> {reply, {error, unknown}, Groups};
handle_call({members, Group}, _, Groups) -> {reply, maps:find(Group, Groups), Groups}.

handle_cast(_, Groups) -> {noreply, Groups}.
