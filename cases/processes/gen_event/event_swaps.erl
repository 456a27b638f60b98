%% One handler takes the place of another and gets what it left.
%%! swapped()             ==> {ok,{args,{left,why,one}},[{event_swaps,new}]}
%%! swapped_by_itself()   ==> {{args,{left,leaving,one}},[{event_swaps,other}]}
%%! swapped_from_nobody() ==> {ok,{args,error}}
%%! stop_tells_all()      ==> {ok,stop,false}
-module(event_swaps).
-behaviour(gen_event).
-export([swapped/0, swapped_by_itself/0, swapped_from_nobody/0, stop_tells_all/0, init/1, handle_event/2, handle_call/2, terminate/2]).
init({Args, Left}) -> {ok, {Args, Left}};
init(Args) -> {ok, Args}.
handle_event({swap, Args}, S) when not is_tuple(S) -> {swap_handler, leaving, S, {?MODULE, other}, Args};
handle_event(_, S) -> {ok, S}.
handle_call(get, S) -> {ok, S, S}.
terminate(stop, {To, none}) -> To ! {terminated, stop};
terminate(Why, S) -> {left, Why, S}.
start(S) -> {ok, M} = gen_event:start(), ok = gen_event:add_handler(M, ?MODULE, S), M.
swapped() ->
    M = start(one),
    {gen_event:swap_handler(M, {?MODULE, why}, {{?MODULE, new}, args}), gen_event:call(M, {?MODULE, new}, get), gen_event:which_handlers(M)}.
swapped_by_itself() ->
    M = start(one),
    gen_event:sync_notify(M, {swap, args}),
    {gen_event:call(M, {?MODULE, other}, get), gen_event:which_handlers(M)}.
swapped_from_nobody() ->
    {ok, M} = gen_event:start(),
    {gen_event:swap_handler(M, {no_such_handler, why}, {?MODULE, args}), gen_event:call(M, ?MODULE, get)}.
stop_tells_all() ->
    M = start({self(), none}),
    {gen_event:stop(M), receive {terminated, Why} -> Why end, is_process_alive(M)}.
