%% A rate limiter with a bucket of five permits and one more every 100 ms. Nobody looks whether the bucket is full,
%% so that it holds too many after a quiet while.
%%? client: finds spec:N when N > 5
%% Scenario: {ok, L} = rate_limiter_overfills:start_link(), 5 = rate_limiter_overfills:permits(L), timer:sleep(150), rate_limiter_overfills:permits(L)
-module(rate_limiter_overfills).
-behaviour(gen_server).
-export([start_link/0, acquire/1, permits/1]).
-export([init/1, handle_call/3, handle_cast/2, handle_info/2]).

-define(BUCKET, 5).
-define(REFILL, 100).

-spec start_link() -> {ok, pid()}.
start_link() -> gen_server:start_link(?MODULE, [], []).

-spec acquire(pid()) -> ok | {error, limited}.
acquire(Limiter) -> gen_server:call(Limiter, acquire).

-spec permits(pid()) -> 0..?BUCKET.
permits(Limiter) -> gen_server:call(Limiter, permits).

init([]) -> {ok, refill_later(?BUCKET)}.

handle_call(acquire, _, 0) -> {reply, {error, limited}, 0};
handle_call(acquire, _, N) -> {reply, ok, N - 1};
handle_call(permits, _, N) -> {reply, N, N}.

handle_cast(_, N) -> {noreply, N}.

handle_info(refill, N) -> {noreply, refill_later(N + 1)};
handle_info(_, N) -> {noreply, N}.

refill_later(N) ->
    erlang:send_after(?REFILL, self(), refill),
    N.
