%% A gen_statem with one function for all events: states of any term, calls, casts, other messages.
%%! kinds()      ==> {{level,0},[{cast,a},{info,b},{cast,c}]}
%%! states()     ==> {[0,1,2],{level,3}}
%%! replies()    ==> {itself,first,{{level,0},[]}}
%%! late_reply() ==> {reply,released}
-module(statem_events).
-behaviour(gen_statem).
-export([kinds/0, states/0, replies/0, late_reply/0, init/1, callback_mode/0, handle_event/4]).
callback_mode() -> handle_event_function.
init(Data) -> {ok, {level, 0}, Data}.
handle_event({call, From}, log, S, Log) -> {keep_state, [], [{reply, From, {S, lists:reverse(Log)}}]};
handle_event({call, From}, up, {level, N}, Log) -> {next_state, {level, N + 1}, Log, [{reply, From, N}]};
handle_event({call, From}, later, _, Log) -> {keep_state, [{waiting, From} | Log]};
handle_event(cast, release, _, [{waiting, From} | Log]) -> {keep_state, Log, {reply, From, released}};
handle_event({call, From}, reply_itself, _, _) -> gen_statem:reply(From, itself), keep_state_and_data;
handle_event({call, From}, many, _, _) -> {keep_state_and_data, [{reply, From, first}]};
handle_event(Type, Content, _, Log) -> {keep_state, [{Type, Content} | Log]}.
start() -> {ok, P} = gen_statem:start_link(?MODULE, [], []), P.
kinds() -> P = start(), gen_statem:cast(P, a), P ! b, gen_statem:cast(P, c), gen_statem:call(P, log).
states() -> P = start(), {[gen_statem:call(P, up) || _ <- [1, 2, 3]], element(1, gen_statem:call(P, log, 1000))}.
replies() -> P = start(), {gen_statem:call(P, reply_itself), gen_statem:call(P, many), gen_statem:call(P, log, {clean_timeout, 1000})}.
late_reply() ->
    P = start(),
    Id = gen_statem:send_request(P, later),
    gen_statem:cast(P, release),
    gen_statem:wait_response(Id, infinity).
