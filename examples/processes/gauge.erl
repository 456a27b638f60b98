%% Measures something regularly, under a supervisor.
-module(gauge).
-behaviour(gen_server).
-export([watch/1, start_link/1]).
-export([init/1, handle_continue/2, handle_call/3, handle_cast/2]).

%% Starts to measure so many times in a minute.
-spec watch(Times :: 0..600) -> ok.
watch(Times) ->
    {ok, Supervisor} = supervisor:start_link({local, gauge_sup}, ?MODULE, {supervisor, Times}),
    unlink(Supervisor),
    ok.

start_link(Times) ->
    gen_server:start_link({local, ?MODULE}, ?MODULE, {gauge, Times}, []).

init({supervisor, Times}) ->
    Gauge = #{id => gauge, start => {?MODULE, start_link, [Times]}},
    {ok, {#{strategy => one_for_one}, [Gauge]}};
init({gauge, Times}) ->
    {ok, Times, {continue, plan}}.

handle_continue(plan, Times) ->
    {noreply, 60000 div Times}.

handle_call(interval, _, Interval) ->
    {reply, Interval, Interval}.

handle_cast(_, Interval) ->
    {noreply, Interval}.
