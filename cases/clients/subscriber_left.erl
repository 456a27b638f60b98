%% A chat room whose members are processes that it starts. A member that left is asked all the same when the next
%% message is delivered, and the room dies of the call.
%%? client: finds exit:{noproc, _}
%% Scenario: {ok, R} = subscriber_left:open(), {ok, M} = subscriber_left:join(R), 1 = subscriber_left:say(R, "hi"), ok = subscriber_left:leave(M), subscriber_left:say(R, "hi")
-module(subscriber_left).
-behaviour(gen_server).
-export([open/0, join/1, say/2, leave/1]).
-export([init/1, handle_call/3, handle_cast/2]).

-type room() :: pid().
-type member() :: pid().

-spec open() -> {ok, room()}.
open() -> gen_server:start(?MODULE, room, []).

-spec join(room()) -> {ok, member()}.
join(Room) -> gen_server:call(Room, join).

%% The number of members that have heard it.
-spec say(room(), string()) -> non_neg_integer().
say(Room, Text) -> gen_server:call(Room, {say, Text}).

-spec leave(member()) -> ok.
leave(Member) -> gen_server:call(Member, leave).

init(room) -> {ok, {members, []}};
init(member) -> {ok, {heard, []}}.

handle_call(join, _, {members, Members}) ->
    {ok, Member} = gen_server:start(?MODULE, member, []),
    {reply, {ok, Member}, {members, [Member | Members]}};
handle_call({say, Text}, _, {members, Members} = S) ->
    [ok = gen_server:call(M, {hear, Text}) || M <- Members],
    {reply, length(Members), S};
handle_call({hear, Text}, _, {heard, Texts}) ->
    {reply, ok, {heard, [Text | Texts]}};
handle_call(leave, _, S) ->
    {stop, normal, ok, S}.

handle_cast(_, S) -> {noreply, S}.
