%% gen_server:reply/2 answers a call later, from the server or from any other process.
%%! from_server()       ==> {now,1}
%%! from_worker()       ==> [{worked,1},{worked,2}]
%%! from_caller_side(3) ==> [{1,{all,1}},{2,{all,2}},{3,{all,3}}]
%%! too_late()          ==> {timeout,synced,nothing}
-module(server_late_replies).
-behaviour(gen_server).
-export([from_server/0, from_worker/0, from_caller_side/1, too_late/0, init/1, handle_call/3, handle_cast/2]).
init(S) -> {ok, S}.
handle_call({worker, X}, From, S) -> spawn(fun() -> gen_server:reply(From, {worked, X}) end), {noreply, S};
handle_call(wait, From, S) -> {noreply, [From | S]};
handle_call(sync, _, S) -> {reply, synced, S}.
handle_cast({release, X}, S) -> [gen_server:reply(From, {X, K}) || {From, K} <- lists:zip(lists:reverse(S), lists:seq(1, length(S)))], {noreply, []}.
start() -> {ok, P} = gen_server:start(?MODULE, [], []), P.
from_worker() -> P = start(), [gen_server:call(P, {worker, X}) || X <- [1, 2]].
from_server() ->
    P = start(),
    Me = self(),
    spawn(fun() -> Me ! {answer, gen_server:call(P, wait)} end),
    wait_for(P, 1),
    gen_server:cast(P, {release, now}),
    receive {answer, A} -> A end.
wait_for(P, N) -> case length(sys:get_state(P)) of N -> ok; _ -> erlang:yield(), wait_for(P, N) end.
from_caller_side(N) ->
    P = start(),
    Me = self(),
    [begin spawn(fun() -> Me ! {answer, K, gen_server:call(P, wait)} end), wait_for(P, K) end || K <- lists:seq(1, N)],
    gen_server:cast(P, {release, all}),
    [receive {answer, K, A} -> {K, A} end || K <- lists:seq(1, N)].
too_late() ->
    P = start(),
    First = try gen_server:call(P, wait, 20) catch exit:{timeout, _} -> timeout end,
    gen_server:cast(P, {release, late}),
    {First, gen_server:call(P, sync), receive M -> M after 0 -> nothing end}.
