%% Topics with subscribers, of whom each message goes to the next in turn. After the last one has gone, the topic is
%% still there and nobody is next.
%%? client: finds error:{badmatch, []}
%% Scenario: {ok, P} = topic_without_reader:start_link(), ok = topic_without_reader:subscribe(P, t, a), ok = topic_without_reader:unsubscribe(P, t, a), topic_without_reader:publish(P, t)
-module(topic_without_reader).
-behaviour(gen_server).
-export([start_link/0, subscribe/3, unsubscribe/3, publish/2]).
-export([init/1, handle_call/3, handle_cast/2]).

-spec start_link() -> {ok, pid()}.
start_link() -> gen_server:start_link(?MODULE, [], []).

-spec subscribe(pid(), Topic :: atom(), Reader :: atom()) -> ok.
subscribe(Broker, Topic, Reader) -> gen_server:call(Broker, {subscribe, Topic, Reader}).

-spec unsubscribe(pid(), Topic :: atom(), Reader :: atom()) -> ok.
unsubscribe(Broker, Topic, Reader) -> gen_server:call(Broker, {unsubscribe, Topic, Reader}).

%% Who gets the message.
-spec publish(pid(), Topic :: atom()) -> {ok, Reader :: atom()} | {error, unknown_topic}.
publish(Broker, Topic) -> gen_server:call(Broker, {publish, Topic}).

init([]) -> {ok, #{}}.

handle_call({subscribe, T, R}, _, Topics) ->
    {reply, ok, Topics#{T => [R | maps:get(T, Topics, [])]}};
handle_call({unsubscribe, T, R}, _, Topics) when is_map_key(T, Topics) ->
    {reply, ok, Topics#{T := lists:delete(R, maps:get(T, Topics))}};
handle_call({unsubscribe, _, _}, _, Topics) ->
    {reply, ok, Topics};
handle_call({publish, T}, _, Topics) when is_map_key(T, Topics) ->
    [Next | Others] = maps:get(T, Topics),
    {reply, {ok, Next}, Topics#{T := Others ++ [Next]}};
handle_call({publish, _}, _, Topics) ->
    {reply, {error, unknown_topic}, Topics}.

handle_cast(_, Topics) -> {noreply, Topics}.
