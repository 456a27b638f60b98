%% Requests without waiting: send_request and what is done with its answer; casts and calls of several servers.
%%! wait()             ==> {{reply,{s,a}},timeout}
%%! receive_response() ==> {{reply,{s,a}},timeout}
%%! check()            ==> {no_reply,{reply,{s,a}}}
%%! dies()             ==> {died,true}
%%! multi_call()       ==> {{[{nonode@nohost,{m,x}}],[]},{[],[nonode@nohost]}}
%%! abcast()           ==> {abcast,a}
%%! collection()       ==> [{1,{1,x}},{2,{2,x}},{3,{3,x}}]
-module(server_requests).
-behaviour(gen_server).
-export([wait/0, receive_response/0, check/0, dies/0, multi_call/0, abcast/0, collection/0, init/1, handle_call/3, handle_cast/2]).
-define(NAME, server_requests_name).
init(S) -> {ok, S}.
handle_call(die, _, _) -> exit(died);
handle_call(never, _, S) -> {noreply, S};
handle_call(X, _, S) -> {reply, {S, X}, S}.
handle_cast({tell, To}, S) -> To ! {told, S}, {noreply, S}.
start(S) -> {ok, P} = gen_server:start(?MODULE, S, []), P.
wait() -> R = gen_server:send_request(start(s), a), {gen_server:wait_response(R, infinity), gen_server:wait_response(R, 0)}.
receive_response() ->
    P = start(s),
    {gen_server:receive_response(gen_server:send_request(P, a), 1000), gen_server:receive_response(gen_server:send_request(P, never), 10)}.
check() ->
    R = gen_server:send_request(start(s), a),
    self() ! other,
    receive M -> {checked(M, R), receive M2 -> checked(M2, R) end} end.
checked(M, R) -> case gen_server:check_response(M, R) of no_reply -> no_reply; {reply, X} -> {reply, X} end.
dies() ->
    P = start(s),
    {error, {Why, Q}} = gen_server:wait_response(gen_server:send_request(P, die), infinity),
    {Why, P =:= Q}.
multi_call() ->
    {ok, P} = gen_server:start({local, ?NAME}, ?MODULE, m, []),
    Result = {gen_server:multi_call([node()], ?NAME, x), gen_server:multi_call([node()], no_such_server_here, x)},
    gen_server:stop(P),
    Result.
abcast() ->
    {ok, P} = gen_server:start({local, ?NAME}, ?MODULE, a, []),
    Result = {gen_server:abcast([node()], ?NAME, {tell, self()}), receive {told, S} -> S end},
    gen_server:stop(P),
    Result.
collection() ->
    Servers = [{K, start(K)} || K <- [1, 2, 3]],
    All = lists:foldl(fun({K, P}, C) -> gen_server:send_request(P, x, K, C) end, gen_server:reqids_new(), Servers),
    lists:sort(collected(All)).
collected(All) ->
    case gen_server:receive_response(All, 1000, true) of
        {{reply, X}, Label, Rest} -> [{Label, X} | collected(Rest)];
        no_request -> []
    end.
