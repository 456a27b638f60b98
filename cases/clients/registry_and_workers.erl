%% A registry that starts workers under names and watches them. A worker that was replaced under its name and ends
%% then is no longer found.
%%? client: finds error:{badmatch, []}
%% Scenario: {ok, R} = registry_and_workers:start_link(), {ok, A} = registry_and_workers:start_worker(R, a), {ok, _} = registry_and_workers:start_worker(R, a), ok = registry_and_workers:finish(A), timer:sleep(20), registry_and_workers:names(R)
-module(registry_and_workers).
-behaviour(gen_server).
-export([start_link/0, start_worker/2, names/1, work/2, finish/1]).
-export([init/1, handle_call/3, handle_cast/2, handle_info/2]).

-type registry() :: pid().
-type worker() :: pid().

-spec start_link() -> {ok, registry()}.
start_link() -> gen_server:start_link(?MODULE, registry, []).

-spec start_worker(registry(), Name :: atom()) -> {ok, worker()}.
start_worker(Registry, Name) -> gen_server:call(Registry, {start, Name}).

-spec names(registry()) -> [atom()].
names(Registry) -> gen_server:call(Registry, names).

%% How much was done so far.
-spec work(worker(), pos_integer()) -> pos_integer().
work(Worker, Amount) -> gen_server:call(Worker, {work, Amount}).

-spec finish(worker()) -> ok.
finish(Worker) -> gen_server:call(Worker, finish).

init(registry) -> {ok, {registry, #{}}};
init(worker) -> {ok, {worker, 0}}.

handle_call({start, Name}, _, {registry, Workers}) ->
    {ok, Worker} = gen_server:start(?MODULE, worker, []),
    monitor(process, Worker),
    {reply, {ok, Worker}, {registry, Workers#{Name => Worker}}};
handle_call(names, _, {registry, Workers} = S) ->
    {reply, lists:sort(maps:keys(Workers)), S};
handle_call({work, Amount}, _, {worker, Done}) ->
    {reply, Done + Amount, {worker, Done + Amount}};
handle_call(finish, _, {worker, _} = S) ->
    {stop, normal, ok, S}.

handle_cast(_, S) -> {noreply, S}.

handle_info({'DOWN', _, process, Worker, _}, {registry, Workers}) ->
    [Name] = [N || {N, W} <- maps:to_list(Workers), W =:= Worker],
    {noreply, {registry, maps:remove(Name, Workers)}};
handle_info(_, S) ->
    {noreply, S}.
