%% A chat where people may change their nicks. A new nick that somebody else has is taken over, and the other one's
%% next word finds nobody of that number.
%%? client: finds error:{badkey, _}
%% Scenario: {ok, P} = chat_nick_taken:start_link(), {ok, A} = chat_nick_taken:join(P, ann), {ok, B} = chat_nick_taken:join(P, bob), ok = chat_nick_taken:rename(P, A, bob), ok = chat_nick_taken:leave(P, A), chat_nick_taken:say(P, B, "hi")
-module(chat_nick_taken).
-behaviour(gen_server).
-export([start_link/0, join/2, rename/3, leave/2, say/3]).
-export([init/1, handle_call/3, handle_cast/2]).

-type member() :: reference().
-record(chat, {nicks = #{} :: #{member() => atom()}, words = #{} :: #{atom() => non_neg_integer()}}).

-spec start_link() -> {ok, pid()}.
start_link() -> gen_server:start_link(?MODULE, [], []).

-spec join(pid(), Nick :: atom()) -> {ok, member()} | {error, taken}.
join(Chat, Nick) -> gen_server:call(Chat, {join, Nick}).

-spec rename(pid(), member(), Nick :: atom()) -> ok | {error, unknown}.
rename(Chat, Member, Nick) -> gen_server:call(Chat, {rename, Member, Nick}).

-spec leave(pid(), member()) -> ok | {error, unknown}.
leave(Chat, Member) -> gen_server:call(Chat, {leave, Member}).

%% How much this member has said so far.
-spec say(pid(), member(), string()) -> {ok, non_neg_integer()} | {error, unknown}.
say(Chat, Member, Text) -> gen_server:call(Chat, {say, Member, Text}).

init([]) -> {ok, #chat{}}.

handle_call({join, Nick}, _, #chat{words = Ws} = C) when is_map_key(Nick, Ws) -> {reply, {error, taken}, C};
handle_call({join, Nick}, _, #chat{nicks = Ns, words = Ws}) ->
    Member = make_ref(),
    {reply, {ok, Member}, #chat{nicks = Ns#{Member => Nick}, words = Ws#{Nick => 0}}};
handle_call(Request, _, #chat{nicks = Ns} = C) when not is_map_key(element(2, Request), Ns) ->
    {reply, {error, unknown}, C};
handle_call({rename, Member, New}, _, #chat{nicks = Ns, words = Ws}) ->
    Old = maps:get(Member, Ns),
    Words = maps:get(Old, Ws),
    {reply, ok, #chat{nicks = Ns#{Member := New}, words = (maps:remove(Old, Ws))#{New => Words}}};
handle_call({leave, Member}, _, #chat{nicks = Ns, words = Ws}) ->
    {Nick, Others} = maps:take(Member, Ns),
    {reply, ok, #chat{nicks = Others, words = maps:remove(Nick, Ws)}};
handle_call({say, Member, Text}, _, #chat{nicks = Ns, words = Ws} = C) ->
    Nick = maps:get(Member, Ns),
    Words = maps:get(Nick, Ws) + length(Text),
    {reply, {ok, Words}, C#chat{words = Ws#{Nick := Words}}}.

handle_cast(_, C) -> {noreply, C}.
