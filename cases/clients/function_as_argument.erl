%% A gauge whose unit is changed by a function of the client's. A unit in which the full scale becomes zero breaks the
%% percentage.
%%? client: finds error:badarith
%% Scenario: {ok, P} = function_as_argument:start_link(100), 0 = function_as_argument:percent(P), ok = function_as_argument:convert(P, fun(_) -> 0 end), function_as_argument:percent(P)
-module(function_as_argument).
-behaviour(gen_server).
-export([start_link/1, show/2, convert/2, percent/1]).
-export([init/1, handle_call/3, handle_cast/2]).

-spec start_link(FullScale :: pos_integer()) -> {ok, pid()}.
start_link(FullScale) -> gen_server:start_link(?MODULE, FullScale, []).

-spec show(pid(), non_neg_integer()) -> ok.
show(Gauge, Value) -> gen_server:call(Gauge, {show, Value}).

%% Converts all values into another unit.
-spec convert(pid(), fun((non_neg_integer()) -> non_neg_integer())) -> ok.
convert(Gauge, Function) -> gen_server:call(Gauge, {convert, Function}).

-spec percent(pid()) -> non_neg_integer().
percent(Gauge) -> gen_server:call(Gauge, percent).

init(FullScale) -> {ok, {0, FullScale}}.

handle_call({show, Value}, _, {_, Full}) -> {reply, ok, {Value, Full}};
handle_call({convert, F}, _, {Value, Full}) -> {reply, ok, {F(Value), F(Full)}};
handle_call(percent, _, {Value, Full} = S) -> {reply, 100 * Value div Full, S}.

handle_cast(_, S) -> {noreply, S}.
