%% A pool of workers that knows which of them are out, and takes back no others.
%%? client: clean
-module(clean_pool).
-behaviour(gen_server).
-export([start_link/1, checkout/1, checkin/2, free/1]).
-export([init/1, handle_call/3, handle_cast/2]).

-type worker() :: pid().

-spec start_link(0..4) -> {ok, pid()}.
start_link(Size) -> gen_server:start_link(?MODULE, Size, []).

-spec checkout(pid()) -> {ok, worker()} | {error, exhausted}.
checkout(Pool) -> gen_server:call(Pool, checkout).

-spec checkin(pid(), worker()) -> ok | {error, not_checked_out}.
checkin(Pool, Worker) -> gen_server:call(Pool, {checkin, Worker}).

-spec free(pid()) -> 0..4.
free(Pool) -> gen_server:call(Pool, free).

init(Size) -> {ok, {[spawn_link(fun idle/0) || _ <- lists:seq(1, Size)], []}}.

handle_call(checkout, _, {[], _} = S) ->
    {reply, {error, exhausted}, S};
handle_call(checkout, _, {[Worker | Free], Busy}) ->
    false = lists:member(Worker, Busy),
    {reply, {ok, Worker}, {Free, [Worker | Busy]}};
handle_call({checkin, Worker}, _, {Free, Busy} = S) ->
    case lists:member(Worker, Busy) of
        true -> {reply, ok, {[Worker | Free], lists:delete(Worker, Busy)}};
        false -> {reply, {error, not_checked_out}, S}
    end;
handle_call(free, _, {Free, _} = S) ->
    {reply, length(Free), S}.

handle_cast(_, S) -> {noreply, S}.

idle() ->
    receive _ -> idle() end.
