%% A tree of supervisors and servers: a crash below is mended below, and the tree ends from its leaves.
%%! mended() ==> {[0,1,0,1,2],true,0,3,{2,crashed}}
%%! ends()   ==> {shutdown,[{sup_tree_2_b,0,shutdown},{sup_tree_2_a,0,shutdown},{sup_tree_1_b,1,shutdown},{sup_tree_1_a,0,shutdown}]}
-module(sup_tree).
-export([mended/0, ends/0, init/1, start_top/1, start_sub/2, start_server/2, handle_call/3, handle_cast/2, terminate/2]).
start_top(To) -> supervisor:start_link(?MODULE, {top, To}).
start_sub(K, To) -> supervisor:start_link(?MODULE, {sub, K, To}).
start_server(Name, To) -> gen_server:start_link({local, Name}, ?MODULE, {server, Name, To}, []).
name(K, I) -> list_to_atom(lists:concat([sup_tree_, K, "_", I])).
init({top, To}) -> {ok, {#{strategy => rest_for_one}, [#{id => K, start => {?MODULE, start_sub, [K, To]}, type => supervisor} || K <- [1, 2]]}};
init({sub, K, To}) ->
    {ok, {#{intensity => 2}, [#{id => I, start => {?MODULE, start_server, [name(K, I), To]}, shutdown => 1000} || I <- [a, b]]}};
init({server, Name, To}) -> process_flag(trap_exit, true), {ok, {Name, To, 0}}.
handle_call(next, _, {Name, To, N}) -> {reply, N, {Name, To, N + 1}};
handle_call(crash, _, _) -> exit(crashed).
handle_cast(_, S) -> {noreply, S}.
terminate(Why, {Name, To, N}) -> To ! {Name, N, Why}.
next(Name) -> gen_server:call(Name, next).
mended() ->
    {ok, Top} = start_top(self()),
    A = name(1, a), B = name(1, b),
    First = [next(A), next(A), next(B), next(B), next(B)],
    Old = whereis(A),
    try gen_server:call(A, crash) catch exit:{crashed, _} -> ok end,
    %% Its supervisor is asked, so that it has done what it had to do.
    [supervisor:which_children(P) || {_, P, _, _} <- supervisor:which_children(Top)],
    {First, whereis(A) =/= Old, next(A), next(B), receive {A, N, Why} -> {N, Why} end}.
ends() ->
    process_flag(trap_exit, true),
    {ok, Top} = start_top(self()),
    next(name(1, b)),
    exit(Top, shutdown),
    receive {'EXIT', Top, Why} -> {Why, log()} end.
log() -> receive M -> [M | log()] after 0 -> [] end.
