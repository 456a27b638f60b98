%% How a gen_statem ends: stop, stop_and_reply, an event nobody handles, a bad return.
%%! call(stop)                                ==> {{exit,normal},normal}
%%! call({stop, over})                        ==> {{exit,over},over}
%%! call({stop_and_reply, over})              ==> {bye,over}
%%! call(unknown)                             ==> {{exit,{function_clause,stack}},{function_clause,stack}}
%%! call(nonsense)                            ==> {{exit,{{bad_return_from_state_function,nonsense},stack}},{{bad_return_from_state_function,nonsense},stack}}
%%! call({raise, error, bug})                 ==> {{exit,{bug,stack}},{bug,stack}}
%%! call({raise, throw, keep_state_and_data}) ==> {thrown,{on,d}}
%%! start({stop, reason})                     ==> {error,reason}
%%! start(ignore)                             ==> ignore
%%! start(nonsense)                           ==> {error,{bad_return_from_init,nonsense}}
%%! start({raise, bug})                       ==> {error,bug}
%%! nobody()                                  ==> {exit,{noproc,{gen_statem,call,[no_such_server_here,x,infinity]}}}
-module(statem_ends).
-behaviour(gen_statem).
-export([call/1, start/1, nobody/0, init/1, callback_mode/0, on/3]).
callback_mode() -> state_functions.
init({raise, Why}) -> error(Why);
init(Result) -> Result.
on({call, _}, stop, _) -> stop;
on({call, _}, {stop, Why}, _) -> {stop, Why};
on({call, From}, {stop_and_reply, Why}, _) -> {stop_and_reply, Why, [{reply, From, bye}]};
on({call, From}, {raise, throw, Result}, _) -> gen_statem:reply(From, thrown), throw(Result);
on({call, _}, {raise, Class, Why}, _) -> erlang:raise(Class, Why, []);
on({call, _}, nonsense, _) -> nonsense.
short({Why, [Frame | _]}) when is_tuple(Frame) -> {Why, stack};
short({Why, []}) -> {Why, stack};
short(Why) -> Why.
call(Request) ->
    {ok, P} = gen_statem:start(?MODULE, {ok, on, d}, []),
    R = monitor(process, P),
    case try gen_statem:call(P, Request) catch exit:{Why, {gen_statem, call, _}} -> {exit, short(Why)} end of
        thrown -> {thrown, sys:get_state(P)};
        Answer -> {Answer, receive {'DOWN', R, _, _, End} -> short(End) end}
    end.
start(Init) -> case gen_statem:start(?MODULE, Init, []) of {error, Why} -> {error, short(Why)}; Other -> Other end.
nobody() -> try gen_statem:call(no_such_server_here, x) catch Class:Why -> {Class, Why} end.
