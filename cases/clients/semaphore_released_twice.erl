%% A semaphore of three permits. It checks that who releases one has acquired one, but does not cross it off the list,
%% so that a permit can be given back twice.
%%? client: finds spec:N when N > 3
%% Scenario: {ok, S} = semaphore_released_twice:start_link(), ok = semaphore_released_twice:acquire(S), 3 = semaphore_released_twice:release(S), semaphore_released_twice:release(S)
-module(semaphore_released_twice).
-behaviour(gen_server).
-export([start_link/0, acquire/1, release/1]).
-export([init/1, handle_call/3, handle_cast/2]).

-spec start_link() -> {ok, pid()}.
start_link() -> gen_server:start_link(?MODULE, 3, []).

-spec acquire(pid()) -> ok | busy.
acquire(Semaphore) -> gen_server:call(Semaphore, acquire).

%% How many permits are left now.
-spec release(pid()) -> 0..3 | {error, not_holding}.
release(Semaphore) -> gen_server:call(Semaphore, release).

init(Permits) -> {ok, {Permits, []}}.

handle_call(acquire, _, {0, Holders}) ->
    {reply, busy, {0, Holders}};
handle_call(acquire, {Pid, _}, {N, Holders}) ->
    {reply, ok, {N - 1, [Pid | Holders]}};
handle_call(release, {Pid, _}, {N, Holders} = S) ->
    case lists:member(Pid, Holders) of
        true -> {reply, N + 1, {N + 1, Holders}};
        false -> {reply, {error, not_holding}, S}
    end.

handle_cast(_, S) -> {noreply, S}.
