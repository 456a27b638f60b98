%% A counter: nothing that a client may do breaks it.
%%? client: clean
-module(clean_counter).
-behaviour(gen_server).
-export([start_link/0, increment/1, add/2, value/1, reset/1, stop/1]).
-export([init/1, handle_call/3, handle_cast/2]).

-spec start_link() -> {ok, pid()}.
start_link() -> gen_server:start_link(?MODULE, [], []).

-spec increment(pid()) -> ok.
increment(Counter) -> add(Counter, 1).

-spec add(pid(), integer()) -> ok.
add(Counter, N) -> gen_server:cast(Counter, {add, N}).

-spec value(pid()) -> integer().
value(Counter) -> gen_server:call(Counter, value).

-spec reset(pid()) -> integer().
reset(Counter) -> gen_server:call(Counter, reset).

-spec stop(pid()) -> ok.
stop(Counter) -> gen_server:stop(Counter).

init([]) -> {ok, 0}.

handle_call(value, _, N) -> {reply, N, N};
handle_call(reset, _, N) -> {reply, N, 0}.

handle_cast({add, M}, N) -> {noreply, N + M}.
