%% Bug: the window of samples is cut one too short when it is made smaller, and must not become empty.
%% Needs: 4 calls, a cast that fails unseen.
%% Scenario: {ok, P} = gauge_window:start_link(), ok = gauge_window:sample(P, 1), ok = gauge_window:sample(P, 5), 4 = gauge_window:spread(P), ok = gauge_window:resize(P, 1), gauge_window:spread(P)
%%? client: finds error:{badmatch, []}
-module(gauge_window).
-behaviour(gen_server).
-export([start_link/0, sample/2, resize/2, spread/1]).
-export([init/1, handle_call/3, handle_cast/2]).

-spec start_link() -> {ok, pid()}.
start_link() -> gen_server:start_link(?MODULE, 4, []).

-spec sample(pid(), integer()) -> ok.
sample(Gauge, Value) -> gen_server:cast(Gauge, {sample, Value}).

%% Keeps at most this many of the newest samples.
-spec resize(pid(), 1..16) -> ok.
resize(Gauge, Size) -> gen_server:cast(Gauge, {resize, Size}).

%% The difference between the largest and the smallest sample.
-spec spread(pid()) -> non_neg_integer().
spread(Gauge) -> gen_server:call(Gauge, spread).

init(Size) -> {ok, {Size, 0, []}}.

handle_call(spread, _, {_, _, []} = S) -> {reply, 0, S};
handle_call(spread, _, {_, _, Values} = S) -> {reply, lists:max(Values) - lists:min(Values), S}.

handle_cast({sample, V}, {Size, Count, Values}) ->
    {noreply, {Size, min(Size, Count + 1), lists:sublist([V | Values], Size)}};
handle_cast({resize, Size}, {_, Count, Values}) when Size >= Count ->
    {noreply, {Size, Count, Values}};
handle_cast({resize, Size}, {_, _, Values}) ->
    [_ | _] = Kept = lists:sublist(Values, Size - 1),
    {noreply, {Size, Size, Kept}}.
