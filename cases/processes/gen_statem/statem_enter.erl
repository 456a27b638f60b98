%% With state_enter each state is entered by an event of its own, also the first, also by repeat_state.
%%! walk()                   ==> [{enter,a,a},{go,b},{enter,a,b},{go,c},{enter,b,c}]
%%! repeated()               ==> [{enter,a,a},repeat,{enter,a,a},{go,b},{enter,a,b},repeat,{enter,b,b}]
%%! same_state_is_no_entry() ==> [{enter,a,a},{go,a},{go,a}]
%%! postponed_behind_entry() ==> [{enter,a,a},{go,b},{enter,a,b},{only,b},{go,c},{enter,b,c},{only,c}]
-module(statem_enter).
-behaviour(gen_statem).
-export([walk/0, repeated/0, same_state_is_no_entry/0, postponed_behind_entry/0, init/1, callback_mode/0, handle_event/4]).
callback_mode() -> [handle_event_function, state_enter].
init(_) -> {ok, a, []}.
handle_event(enter, Old, State, Log) -> {keep_state, [{enter, Old, State} | Log]};
handle_event({call, From}, log, _, Log) -> {keep_state, [], {reply, From, lists:reverse(Log)}};
handle_event(cast, repeat, _, Log) -> {repeat_state, [repeat | Log]};
handle_event(cast, {go, S}, _, Log) -> {next_state, S, [{go, S} | Log]};
handle_event(cast, {only, S}, S, Log) -> {keep_state, [{only, S} | Log]};
handle_event(cast, {only, _}, _, _) -> {keep_state_and_data, postpone}.
done(Casts) ->
    {ok, P} = gen_statem:start(?MODULE, x, []),
    [gen_statem:cast(P, C) || C <- Casts],
    gen_statem:call(P, log).
walk() -> done([{go, b}, {go, c}]).
repeated() -> done([repeat, {go, b}, repeat]).
same_state_is_no_entry() -> done([{go, a}, {go, a}]).
postponed_behind_entry() -> done([{only, c}, {only, b}, {go, b}, {go, c}]).
