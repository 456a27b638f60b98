%% A news ticker that watches its readers. It keeps them by pid, but when one dies it looks for the monitor's reference.
%%? client: finds error:{badkey, _}
%% Scenario: {ok, P} = subscriber_died:start_link(), R = spawn(fun() -> ok end), ok = subscriber_died:subscribe(P, R), timer:sleep(20), subscriber_died:publish(P, hello)
-module(subscriber_died).
-behaviour(gen_server).
-export([start_link/0, subscribe/2, unsubscribe/2, publish/2]).
-export([init/1, handle_call/3, handle_cast/2, handle_info/2]).

-spec start_link() -> {ok, pid()}.
start_link() -> gen_server:start_link(?MODULE, [], []).

-spec subscribe(pid(), Reader :: pid()) -> ok.
subscribe(Ticker, Reader) -> gen_server:call(Ticker, {subscribe, Reader}).

-spec unsubscribe(pid(), Reader :: pid()) -> ok.
unsubscribe(Ticker, Reader) -> gen_server:call(Ticker, {unsubscribe, Reader}).

%% The number of readers that were told.
-spec publish(pid(), atom()) -> non_neg_integer().
publish(Ticker, News) -> gen_server:call(Ticker, {publish, News}).

init([]) -> {ok, #{}}.

handle_call({subscribe, Pid}, _, Readers) when is_map_key(Pid, Readers) ->
    {reply, ok, Readers};
handle_call({subscribe, Pid}, _, Readers) ->
    {reply, ok, Readers#{Pid => monitor(process, Pid)}};
handle_call({unsubscribe, Pid}, _, Readers) ->
    case maps:take(Pid, Readers) of
        {Ref, Rest} -> demonitor(Ref, [flush]), {reply, ok, Rest};
        error -> {reply, ok, Readers}
    end;
handle_call({publish, News}, _, Readers) ->
    [Pid ! {news, News} || Pid <- maps:keys(Readers)],
    {reply, map_size(Readers), Readers}.

handle_cast(_, Readers) -> {noreply, Readers}.

handle_info({'DOWN', Ref, process, _, _}, Readers) ->
    Gone = maps:get(Ref, Readers),
    {noreply, maps:remove(Gone, Readers)};
handle_info(_, Readers) ->
    {noreply, Readers}.
