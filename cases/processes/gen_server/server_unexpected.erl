%% Without handle_info unknown messages are only logged; without other callbacks the server ends.
%%! unknown_message() ==> s
%%! no_terminate()    ==> ok
%%! no_init()         ==> {undef,no_such_module_at_all,init,[s]}
%%! format_status()   ==> {data,[{"State",{hidden,s}}]}
-module(server_unexpected).
-behaviour(gen_server).
-export([unknown_message/0, no_terminate/0, no_init/0, format_status/0, init/1, handle_call/3, handle_cast/2, format_status/1]).
init(S) -> {ok, S}.
handle_call(get, _, S) -> {reply, S, S}.
handle_cast(_, S) -> {noreply, S}.
format_status(Status) -> maps:map(fun(state, S) -> {hidden, S}; (_, V) -> V end, Status).
unknown_message() ->
    {ok, P} = gen_server:start(?MODULE, s, []),
    P ! {no, idea},
    gen_server:call(P, get).
no_terminate() ->
    {ok, P} = gen_server:start(?MODULE, s, []),
    gen_server:stop(P).
no_init() ->
    case gen_server:start(no_such_module_at_all, s, []) of
        {error, {Why, [{M, F, A, _} | _]}} -> {Why, M, F, A}
    end.
format_status() ->
    {ok, P} = gen_server:start(?MODULE, s, []),
    {status, P, _, [_, _, _, _, Misc]} = sys:get_status(P),
    lists:last(Misc).
