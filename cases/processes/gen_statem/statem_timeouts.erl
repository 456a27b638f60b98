%% Three kinds of timeouts: of the state, of the next event, and by name.
%%! state_timeout()         ==> [{state_timeout,x,a}]
%%! state_change_cancels()  ==> []
%%! event_timeout()         ==> [{timeout,x,start}]
%%! event_cancels()         ==> [{cast,other,start}]
%%! named()                 ==> [{{timeout,fast},f,start},{{timeout,slow},s,start}]
%%! named_survives_change() ==> [{{timeout,t},x,b}]
%%! cancelled()             ==> []
%%! updated()               ==> [{{timeout,t},new,start}]
%%! zero()                  ==> [{internal,first,start},{{timeout,t},at_once,start}]
-module(statem_timeouts).
-behaviour(gen_statem).
-export([state_timeout/0, state_change_cancels/0, event_timeout/0, event_cancels/0, named/0, named_survives_change/0, cancelled/0,
         updated/0, zero/0, init/1, callback_mode/0, handle_event/4]).
callback_mode() -> handle_event_function.
init(To) -> {ok, start, To}.
handle_event(cast, {act, Actions}, _, _) -> {keep_state_and_data, Actions};
handle_event(cast, {go, S, Actions}, _, D) -> {next_state, S, D, Actions};
handle_event({call, From}, sync, _, _) -> {keep_state_and_data, {reply, From, ok}};
handle_event(Type, Content, State, To) -> To ! {Type, Content, State}, keep_state_and_data.
run(Casts, Wait) ->
    {ok, P} = gen_statem:start(?MODULE, self(), []),
    [gen_statem:cast(P, C) || C <- Casts],
    timer:sleep(Wait),
    gen_statem:call(P, sync),
    got().
got() -> receive M -> [M | got()] after 0 -> [] end.
state_timeout() -> run([{go, a, [{state_timeout, 10, x}]}], 80).
state_change_cancels() -> run([{go, a, [{state_timeout, 20, x}]}, {go, b, []}], 90).
event_timeout() -> run([{act, [{timeout, 10, x}]}], 80).
event_cancels() -> run([{act, [{timeout, 20, x}]}, other], 90).
named() -> run([{act, [{{timeout, slow}, 100, s}, {{timeout, fast}, 10, f}]}], 220).
named_survives_change() -> run([{act, [{{timeout, t}, 30, x}]}, {go, b, []}], 110).
cancelled() -> run([{act, [{{timeout, t}, 30, x}]}, {act, [{{timeout, t}, cancel}]}], 100).
updated() -> run([{act, [{{timeout, t}, 30, old}]}, {act, [{{timeout, t}, update, new}]}], 110).
zero() -> run([{act, [{{timeout, t}, 0, at_once}, {next_event, internal, first}]}], 20).
