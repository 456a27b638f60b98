%% A named server that writes its level down when it is stopped. If it was never configured, stopping it crashes.
%%? client: finds error:{badmatch, undefined}
%% Scenario: {ok, _} = stopped_unconfigured:start(), unset = stopped_unconfigured:level(), stopped_unconfigured:stop()
-module(stopped_unconfigured).
-behaviour(gen_server).
-export([start/0, configure/1, level/0, stop/0]).
-export([init/1, handle_call/3, handle_cast/2, terminate/2]).

-spec start() -> {ok, pid()} | {error, {already_started, pid()}}.
start() -> gen_server:start({local, ?MODULE}, ?MODULE, [], []).

-spec configure(Level :: 1..9) -> ok.
configure(Level) -> gen_server:call(?MODULE, {configure, Level}).

-spec level() -> 1..9 | unset.
level() -> gen_server:call(?MODULE, level).

-spec stop() -> ok.
stop() -> gen_server:stop(?MODULE).

init([]) -> {ok, undefined}.

handle_call({configure, Level}, _, _) -> {reply, ok, {level, Level}};
handle_call(level, _, undefined) -> {reply, unset, undefined};
handle_call(level, _, {level, Level} = S) -> {reply, Level, S}.

handle_cast(_, S) -> {noreply, S}.

terminate(_, S) ->
    {level, Level} = S,
    put(last_level, Level),
    ok.
