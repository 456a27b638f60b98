%% A sampler whose rate is set by a cast. A rate of zero kills the server in the cast, and only a later call shows it.
%%? client: finds error:badarith
%% Scenario: {ok, P} = cast_kills_later:start_link(), ok = cast_kills_later:set_rate(P, 0), cast_kills_later:interval(P)
-module(cast_kills_later).
-behaviour(gen_server).
-export([start_link/0, set_rate/2, interval/1]).
-export([init/1, handle_call/3, handle_cast/2]).

-spec start_link() -> {ok, pid()}.
start_link() -> gen_server:start_link(?MODULE, [], []).

%% Samples per second.
-spec set_rate(pid(), non_neg_integer()) -> ok.
set_rate(Sampler, PerSecond) -> gen_server:cast(Sampler, {rate, PerSecond}).

%% Milliseconds between two samples.
-spec interval(pid()) -> non_neg_integer().
interval(Sampler) -> gen_server:call(Sampler, interval).

init([]) -> {ok, 1000}.

handle_call(interval, _, Interval) -> {reply, Interval, Interval}.

handle_cast({rate, PerSecond}, _) -> {noreply, 1000 div PerSecond}.
