%% Counters, each under the name that it was started with. Resetting a counter that stands at its start divides by zero.
%%? client: finds error:badarith
%% Scenario: {ok, _} = name_is_parameter:start_link(visits), ok = name_is_parameter:reset(visits)
-module(name_is_parameter).
-behaviour(gen_server).
-export([start_link/1, increment/1, reset/1]).
-export([init/1, handle_call/3, handle_cast/2]).

-record(counter, {value = 0 :: non_neg_integer(), resets = 0 :: non_neg_integer(), mean = 0 :: non_neg_integer()}).

-spec start_link(Name :: atom()) -> {ok, pid()} | {error, term()}.
start_link(Name) -> gen_server:start_link({local, Name}, ?MODULE, [], []).

-spec increment(Name :: atom()) -> pos_integer().
increment(Name) -> gen_server:call(Name, increment).

%% Starts again from zero, and keeps in mind how far it came on average.
-spec reset(Name :: atom()) -> ok.
reset(Name) -> gen_server:call(Name, reset).

init([]) -> {ok, #counter{}}.

handle_call(increment, _, #counter{value = V} = C) -> {reply, V + 1, C#counter{value = V + 1}};
handle_call(reset, _, #counter{value = V, resets = R, mean = M} = C) ->
    {reply, ok, C#counter{value = 0, resets = R + 1, mean = (M * R + V) div R}}.

handle_cast(_, C) -> {noreply, C}.
