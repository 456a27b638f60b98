%% A lift whose door closes by itself after two seconds. Calling it away while the door is open leaves the timer
%% running, which rings in a state that does not know it.
%%? client: finds error:function_clause
%% Scenario: {ok, L} = lift_door_timer:start_link(), ok = lift_door_timer:open(L), ok = lift_door_timer:go(L, 3), timer:sleep(2100), lift_door_timer:floor(L)
-module(lift_door_timer).
-behaviour(gen_statem).
-export([start_link/0, open/1, go/2, floor/1]).
-export([callback_mode/0, init/1, closed/3, opened/3]).

-spec start_link() -> {ok, pid()}.
start_link() -> gen_statem:start_link(?MODULE, [], []).

-spec open(pid()) -> ok.
open(Lift) -> gen_statem:call(Lift, open).

-spec go(pid(), Floor :: 0..9) -> ok.
go(Lift, Floor) -> gen_statem:call(Lift, {go, Floor}).

-spec floor(pid()) -> 0..9.
floor(Lift) -> gen_statem:call(Lift, floor).

callback_mode() -> state_functions.

init([]) -> {ok, closed, 0}.

closed({call, From}, open, Floor) ->
    {next_state, opened, Floor, [{reply, From, ok}, {{timeout, door}, 2000, close}]};
closed({call, From}, {go, Floor}, _) ->
    {keep_state, Floor, [{reply, From, ok}]};
closed({call, From}, floor, Floor) ->
    {keep_state_and_data, [{reply, From, Floor}]};
closed(info, _, _) ->
    keep_state_and_data.

opened({timeout, door}, close, Floor) ->
    {next_state, closed, Floor};
opened({call, From}, {go, Floor}, _) ->
    {next_state, closed, Floor, [{reply, From, ok}]};
opened({call, From}, floor, Floor) ->
    {keep_state_and_data, [{reply, From, Floor}]};
opened({call, From}, open, _) ->
    {keep_state_and_data, [{reply, From, ok}, {{timeout, door}, 2000, close}]};
opened(info, _, _) ->
    keep_state_and_data.
