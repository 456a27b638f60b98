%% A lamp on a stair: it goes off by itself after a while, and every event is welcome whenever it comes.
%%? client: clean
-module(clean_lamp).
-behaviour(gen_statem).
-export([start_link/1, press/1, state/1, presses/1]).
-export([callback_mode/0, init/1, handle_event/4]).

-spec start_link(Seconds :: 1..600) -> {ok, pid()}.
start_link(Seconds) -> gen_statem:start_link(?MODULE, Seconds, []).

-spec press(pid()) -> ok.
press(Lamp) -> gen_statem:cast(Lamp, press).

-spec state(pid()) -> on | off.
state(Lamp) -> gen_statem:call(Lamp, state).

-spec presses(pid()) -> non_neg_integer().
presses(Lamp) -> gen_statem:call(Lamp, presses).

callback_mode() -> handle_event_function.

init(Seconds) -> {ok, off, {Seconds, 0}}.

handle_event(cast, press, _, {Seconds, N}) ->
    {next_state, on, {Seconds, N + 1}, [{{timeout, light}, 1000 * Seconds, go_off}]};
handle_event({timeout, light}, go_off, on, Data) ->
    {next_state, off, Data};
handle_event({call, From}, state, State, _) ->
    {keep_state_and_data, [{reply, From, State}]};
handle_event({call, From}, presses, _, {_, N}) ->
    {keep_state_and_data, [{reply, From, N}]};
handle_event(_, _, _, _) ->
    keep_state_and_data.
