%% A server that has to be brought into a state by requests.
-module(server).
-behaviour(gen_server).
-export([start/0, put/2, total/1, init/1, handle_call/3, handle_cast/2]).

-spec start() -> {ok, pid()}.
start() -> gen_server:start(?MODULE, [], []).

-spec put(pid(), integer()) -> ok.
put(Server, Number) -> gen_server:call(Server, {put, Number}).

-spec total(pid()) -> integer() | full.
total(Server) -> gen_server:call(Server, total).

init([]) -> {ok, []}.

handle_call({put, Number}, _, Numbers) -> {reply, ok, [Number | Numbers]};
handle_call(total, _, Numbers) when length(Numbers) > 1 ->
    {reply, full, Numbers}; %! reached
handle_call(total, _, Numbers) -> {reply, lists:sum(Numbers), Numbers}.

handle_cast(_, Numbers) -> {noreply, Numbers}.
