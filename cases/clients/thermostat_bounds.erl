%% A thermostat for a range of temperatures that is given at the start. A range of one temperature only is forgotten
%% where the level is computed.
%%? client: finds error:badarith
%% Scenario: {ok, P} = thermostat_bounds:start_link(20, 20), ok = thermostat_bounds:set(P, 20), thermostat_bounds:level(P)
-module(thermostat_bounds).
-behaviour(gen_server).
-export([start_link/2, set/2, level/1]).
-export([init/1, handle_call/3, handle_cast/2]).

-spec start_link(Low :: integer(), High :: integer()) -> {ok, pid()} | ignore.
start_link(Low, High) -> gen_server:start_link(?MODULE, {Low, High}, []).

-spec set(pid(), integer()) -> ok | {error, out_of_range}.
set(Thermostat, Degrees) -> gen_server:call(Thermostat, {set, Degrees}).

%% Where in the range the temperature is, in percent.
-spec level(pid()) -> 0..100.
level(Thermostat) -> gen_server:call(Thermostat, level).

init({Low, High}) when Low > High -> ignore;
init({Low, High}) -> {ok, {Low, High, none}}.

handle_call({set, Degrees}, _, {Low, High, _}) when Low =< Degrees, Degrees =< High ->
    {reply, ok, {Low, High, Degrees}};
handle_call({set, _}, _, S) -> {reply, {error, out_of_range}, S};
handle_call(level, _, {_, _, none} = S) -> {reply, 0, S};
handle_call(level, _, {Low, High, Degrees} = S) -> {reply, 100 * (Degrees - Low) div (High - Low), S}.

handle_cast(_, S) -> {noreply, S}.
