%% Stresses OTP's gen_server: calls and casts of a server with a small state.
-module(server_calls_counted).
-behaviour(gen_server).
-export([main/1, size/0, init/1, handle_call/3, handle_cast/2]).

size() -> 100000.

main(N) ->
    {ok, P} = gen_server:start_link(?MODULE, #{}, []),
    Sum = calls(N, P, 0),
    Size = gen_server:call(P, size),
    ok = gen_server:stop(P),
    {Sum, Size}.

calls(0, _, Sum) -> Sum;
calls(N, P, Sum) when N rem 10 =:= 0 -> gen_server:cast(P, {put, N rem 64, N}), calls(N - 1, P, Sum);
calls(N, P, Sum) -> calls(N - 1, P, (Sum + gen_server:call(P, {get, N rem 64})) band 16#ffffff).

init(S) -> {ok, S}.
handle_call({get, K}, _, S) -> {reply, maps:get(K, S, K), S};
handle_call(size, _, S) -> {reply, map_size(S), S}.
handle_cast({put, K, V}, S) -> {noreply, S#{K => V}}.
