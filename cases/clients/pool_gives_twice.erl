%% A pool of workers that takes a worker back even if it is not out, so that the same worker is given to two people.
%%? client: finds error:{badmatch, true}
%% Scenario: {ok, P} = pool_gives_twice:start_link(1), {ok, W} = pool_gives_twice:checkout(P), ok = pool_gives_twice:checkin(P, W), ok = pool_gives_twice:checkin(P, W), {ok, W} = pool_gives_twice:checkout(P), pool_gives_twice:checkout(P)
-module(pool_gives_twice).
-behaviour(gen_server).
-export([start_link/1, checkout/1, checkin/2]).
-export([init/1, handle_call/3, handle_cast/2]).

-type worker() :: pid().

-spec start_link(1..4) -> {ok, pid()}.
start_link(Size) -> gen_server:start_link(?MODULE, Size, []).

-spec checkout(pid()) -> {ok, worker()} | {error, exhausted}.
checkout(Pool) -> gen_server:call(Pool, checkout).

-spec checkin(pid(), worker()) -> ok.
checkin(Pool, Worker) -> gen_server:call(Pool, {checkin, Worker}).

init(Size) -> {ok, {[spawn_link(fun work/0) || _ <- lists:seq(1, Size)], []}}.

handle_call(checkout, _, {[], _} = S) -> {reply, {error, exhausted}, S};
handle_call(checkout, _, {[Worker | Free], Busy}) ->
    false = lists:member(Worker, Busy),
    {reply, {ok, Worker}, {Free, [Worker | Busy]}};
handle_call({checkin, Worker}, _, {Free, Busy}) ->
    {reply, ok, {[Worker | Free], lists:delete(Worker, Busy)}}.

handle_cast(_, S) -> {noreply, S}.

work() ->
    receive
        {run, Job} -> Job(), work();
        _ -> work()
    end.
