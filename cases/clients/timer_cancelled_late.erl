%% Reminders that can be cancelled, which tells how much time was left. A reminder that has already rung has none left:
%% the timer answers false.
%%? client: finds error:badarith
%% Scenario: {ok, P} = timer_cancelled_late:start_link(), {ok, R} = timer_cancelled_late:remind(P, 1), timer:sleep(1100), timer_cancelled_late:cancel(P, R)
-module(timer_cancelled_late).
-behaviour(gen_server).
-export([start_link/0, remind/2, cancel/2]).
-export([init/1, handle_call/3, handle_cast/2, handle_info/2]).

-type reminder() :: reference().

-spec start_link() -> {ok, pid()}.
start_link() -> gen_server:start_link(?MODULE, [], []).

-spec remind(pid(), Seconds :: 1..3600) -> {ok, reminder()}.
remind(Server, Seconds) -> gen_server:call(Server, {remind, Seconds}).

%% The seconds that were left.
-spec cancel(pid(), reminder()) -> {ok, 0..3600} | {error, unknown}.
cancel(Server, Reminder) -> gen_server:call(Server, {cancel, Reminder}).

init([]) -> {ok, []}.

handle_call({remind, Seconds}, _, Reminders) ->
    Ref = erlang:start_timer(1000 * Seconds, self(), ring),
    {reply, {ok, Ref}, [Ref | Reminders]};
handle_call({cancel, Ref}, _, Reminders) ->
    case lists:member(Ref, Reminders) of
        true -> {reply, {ok, (erlang:cancel_timer(Ref) + 500) div 1000}, lists:delete(Ref, Reminders)};
        false -> {reply, {error, unknown}, Reminders}
    end.

handle_cast(_, Reminders) -> {noreply, Reminders}.

handle_info(_, Reminders) -> {noreply, Reminders}.
