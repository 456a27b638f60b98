%% Watching a value gives a function that ends the watching. Ending it twice is not expected by the server.
%%? client: finds error:{badmatch, error}
%% Scenario: {ok, P} = returned_function:start_link(), Stop = returned_function:watch(P), 1 = returned_function:set(P, x), ok = Stop(), Stop()
-module(returned_function).
-behaviour(gen_server).
-export([start_link/0, set/2, watch/1]).
-export([init/1, handle_call/3, handle_cast/2]).

-spec start_link() -> {ok, pid()}.
start_link() -> gen_server:start_link(?MODULE, none, []).

%% The number of those who watch.
-spec set(pid(), term()) -> non_neg_integer().
set(Server, Value) -> gen_server:call(Server, {set, Value}).

-spec watch(pid()) -> fun(() -> ok).
watch(Server) ->
    Ref = gen_server:call(Server, watch),
    fun() -> gen_server:call(Server, {unwatch, Ref}) end.

init(Value) -> {ok, {Value, #{}}}.

handle_call({set, Value}, _, {_, Watchers}) ->
    {reply, map_size(Watchers), {Value, Watchers}};
handle_call(watch, {Pid, _}, {Value, Watchers}) ->
    Ref = make_ref(),
    {reply, Ref, {Value, Watchers#{Ref => Pid}}};
handle_call({unwatch, Ref}, _, {Value, Watchers}) ->
    {_, Others} = maps:take(Ref, Watchers),
    {reply, ok, {Value, Others}}.

handle_cast(_, S) -> {noreply, S}.
