%% Handlers are added, called, told and deleted; each has a state of its own.
%%! notified()              ==> [a,b,{info,c}]
%%! called()                ==> {done,[],{error,bad_module}}
%%! deleted()               ==> {{ended,arg,[a]},{error,module_not_found},[]}
%%! listed()                ==> {[event_handlers],ok}
%%! several_of_one_module() ==> {[1,x],[2,x],[{event_handlers,1},{event_handlers,2}]}
%%! twice()                 ==> ok
%%! refuses()               ==> {{error,why},[]}
-module(event_handlers).
-behaviour(gen_event).
-export([notified/0, called/0, deleted/0, listed/0, several_of_one_module/0, twice/0, refuses/0,
         init/1, handle_event/2, handle_call/2, handle_info/2, terminate/2]).
init({refuse, Why}) -> {error, Why};
init(Log) -> {ok, Log}.
handle_event(E, Log) -> {ok, [E | Log]}.
handle_call(log, Log) -> {ok, lists:reverse(Log), Log};
handle_call(reset, _) -> {ok, done, []}.
handle_info(M, Log) -> {ok, [{info, M} | Log]}.
terminate(Arg, Log) -> {ended, Arg, lists:reverse(Log)}.
start() -> {ok, M} = gen_event:start(), ok = gen_event:add_handler(M, ?MODULE, []), M.
notified() ->
    M = start(),
    ok = gen_event:notify(M, a),
    ok = gen_event:sync_notify(M, b),
    M ! c,
    gen_event:call(M, ?MODULE, log).
called() -> M = start(), gen_event:notify(M, a), {gen_event:call(M, ?MODULE, reset), gen_event:call(M, ?MODULE, log, 1000), gen_event:call(M, no_such_handler, log)}.
deleted() ->
    M = start(),
    gen_event:notify(M, a),
    {gen_event:delete_handler(M, ?MODULE, arg), gen_event:delete_handler(M, ?MODULE, arg), gen_event:which_handlers(M)}.
listed() -> M = start(), {gen_event:which_handlers(M), gen_event:stop(M)}.
several_of_one_module() ->
    {ok, M} = gen_event:start_link(),
    [ok = gen_event:add_handler(M, {?MODULE, K}, [K]) || K <- [1, 2]],
    gen_event:notify(M, x),
    {gen_event:call(M, {?MODULE, 1}, log), gen_event:call(M, {?MODULE, 2}, log), lists:sort(gen_event:which_handlers(M))}.
twice() -> gen_event:add_handler(start(), ?MODULE, []).
refuses() -> {ok, M} = gen_event:start(), {gen_event:add_handler(M, ?MODULE, {refuse, why}), gen_event:which_handlers(M)}.
