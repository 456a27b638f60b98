%% Postponed events come again after a change of state, before later ones and in their order.
%%! order()                     ==> [free,{cast,a},{cast,b},{cast,c}]
%%! until_handled()             ==> [free,{cast,a},take,free,{cast,b}]
%%! next_event_first()          ==> [events,{internal,first},{info,second},{cast,later}]
%%! inserted_before_postponed() ==> [free,{internal,one},{cast,two},{cast,a},{cast,b}]
-module(statem_postpone).
-behaviour(gen_statem).
-export([order/0, until_handled/0, next_event_first/0, inserted_before_postponed/0, init/1, callback_mode/0, busy/3, idle/3]).
callback_mode() -> state_functions.
init(State) -> {ok, State, []}.
busy(cast, free, Log) -> {next_state, idle, [free | Log]};
busy(cast, free_first, Log) -> {next_state, idle, [free | Log], [{next_event, internal, one}, {next_event, cast, two}]};
busy({call, From}, log, Log) -> {keep_state_and_data, {reply, From, lists:reverse(Log)}};
busy(_, _, _) -> {keep_state_and_data, [postpone]}.
idle(cast, take, Log) -> {next_state, busy, [take | Log]};
idle(cast, events, Log) -> {keep_state, [events | Log], [{next_event, internal, first}, {next_event, info, second}]};
idle({call, From}, log, Log) -> {keep_state_and_data, {reply, From, lists:reverse(Log)}};
idle(Type, X, Log) -> {keep_state, [{Type, X} | Log]}.
done(Start, Casts) ->
    {ok, P} = gen_statem:start(?MODULE, Start, []),
    [gen_statem:cast(P, C) || C <- Casts],
    gen_statem:call(P, log).
order() -> done(busy, [a, b, free, c]).
until_handled() -> done(busy, [a, take, b, free, free]).
next_event_first() -> done(idle, [events, later]).
inserted_before_postponed() -> done(busy, [a, b, free_first]).
