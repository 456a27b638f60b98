%% gen_statem by name, entered from another process, changed from outside, and with changed callbacks.
%%! named()           ==> {{s,d},ok,undefined}
%%! entered()         ==> {{here,data},ok}
%%! replaced()        ==> {{{new,s},{new,d}},{{new,s},{new,d}}}
%%! other_module()    ==> {ok,{s,[s,1]}}
%%! initial_actions() ==> {moved,d}
-module(statem_names_and_loops).
-behaviour(gen_statem).
-export([named/0, entered/0, replaced/0, other_module/0, initial_actions/0, init/1, callback_mode/0, handle_event/4]).
-define(NAME, statem_names_and_loops_name).
callback_mode() -> handle_event_function.
init(Result) -> Result.
handle_event({call, From}, get, S, D) -> {keep_state_and_data, {reply, From, {S, D}}};
handle_event({call, From}, push, S, D) -> {keep_state, [S | D], [{reply, From, ok}]};
handle_event(internal, X, _, D) -> {next_state, X, D}.
named() ->
    {ok, P} = gen_statem:start({local, ?NAME}, ?MODULE, {ok, s, d}, []),
    {error, {already_started, P}} = gen_statem:start_link({local, ?NAME}, ?MODULE, {ok, s, d}, []),
    {gen_statem:call(?NAME, get), gen_statem:stop(?NAME), whereis(?NAME)}.
entered() ->
    P = proc_lib:spawn(fun() -> gen_statem:enter_loop(?MODULE, [], here, data) end),
    {gen_statem:call(P, get), gen_statem:stop(P)}.
replaced() ->
    {ok, P} = gen_statem:start(?MODULE, {ok, s, d}, []),
    {sys:replace_state(P, fun({S, D}) -> {{new, S}, {new, D}} end), gen_statem:call(P, get)}.
other_module() ->
    {ok, P} = gen_statem:start(?MODULE, {ok, s, [1]}, []),
    {gen_statem:call(P, push), gen_statem:call(P, get)}.
initial_actions() ->
    {ok, P} = gen_statem:start(?MODULE, {ok, s, d, [{next_event, internal, moved}]}, []),
    gen_statem:call(P, get).
