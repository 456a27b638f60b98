%% Alarms are kept by a handler of an event manager. Clearing an alarm that is not set crashes the handler; the manager
%% goes on without it, and the next question gets an error that nobody specified.
%%? client: finds spec:{error, bad_module}
%% Scenario: {ok, P} = alarm_handler_lost:start_link(), ok = alarm_handler_lost:set(P, fire), [fire] = alarm_handler_lost:alarms(P), ok = alarm_handler_lost:clear(P, flood), alarm_handler_lost:alarms(P)
-module(alarm_handler_lost).
-behaviour(gen_event).
-export([start_link/0, set/2, clear/2, alarms/1]).
-export([init/1, handle_event/2, handle_call/2, handle_info/2]).

-spec start_link() -> {ok, pid()}.
start_link() ->
    {ok, Manager} = gen_event:start_link(),
    ok = gen_event:add_handler(Manager, ?MODULE, []),
    {ok, Manager}.

-spec set(pid(), atom()) -> ok.
set(Manager, Alarm) -> gen_event:notify(Manager, {set, Alarm}).

-spec clear(pid(), atom()) -> ok.
clear(Manager, Alarm) -> gen_event:notify(Manager, {clear, Alarm}).

-spec alarms(pid()) -> [atom()].
alarms(Manager) -> gen_event:call(Manager, ?MODULE, alarms).

init([]) -> {ok, #{}}.

handle_event({set, Alarm}, Alarms) -> {ok, maps:update_with(Alarm, fun(N) -> N + 1 end, 1, Alarms)};
handle_event({clear, Alarm}, Alarms) ->
    case maps:get(Alarm, Alarms) of
        1 -> {ok, maps:remove(Alarm, Alarms)};
        N -> {ok, Alarms#{Alarm := N - 1}}
    end.

handle_call(alarms, Alarms) -> {ok, maps:keys(Alarms), Alarms}.

handle_info(_, Alarms) -> {ok, Alarms}.
