%% A named log: starting it twice is an error that its specification knows, and stopping and starting it again is fine.
%%? client: clean
-module(clean_named).
-behaviour(gen_server).
-export([start_link/0, stop/0, log/2, count/1, levels/0]).
-export([init/1, handle_call/3, handle_cast/2, handle_info/2]).

-type level() :: debug | info | error.

-spec start_link() -> {ok, pid()} | {error, {already_started, pid()}}.
start_link() -> gen_server:start_link({local, ?MODULE}, ?MODULE, [], []).

-spec stop() -> ok.
stop() -> gen_server:stop(?MODULE).

-spec log(level(), string()) -> ok.
log(Level, Text) -> gen_server:cast(?MODULE, {log, Level, Text}).

-spec count(level()) -> non_neg_integer().
count(Level) -> gen_server:call(?MODULE, {count, Level}).

-spec levels() -> [level()].
levels() -> gen_server:call(?MODULE, levels).

init([]) -> {ok, #{}}.

handle_call({count, Level}, _, Log) -> {reply, length(maps:get(Level, Log, [])), Log};
handle_call(levels, _, Log) -> {reply, maps:keys(Log), Log}.

handle_cast({log, Level, Text}, Log) ->
    {noreply, maps:update_with(Level, fun(Texts) -> [Text | Texts] end, [Text], Log)}.

handle_info(_, Log) -> {noreply, Log}.
