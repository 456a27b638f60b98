%% Values keep what they stand for in the state of a server, in names, dictionaries and reasons.
%%? state/2: finds error:hundred for (A, B) when A + B =:= 100; failures = 1; exhausts
%%? dictionary/1: finds error:seven for (7); failures = 1; exhausts
%%? reason/1: finds error:nine for (9); failures = 1; exhausts
%%? name/1: finds error:badarg for (nobody); failures = 1
%%? fun_sent/1: finds error:eleven for (10); failures = 1; exhausts
-module(symbolic_through_servers).
-behaviour(gen_server).
-export([state/2, dictionary/1, reason/1, name/1, fun_sent/1, init/1, handle_call/3, handle_cast/2]).

-spec state(integer(), integer()) -> ok.
state(A, B) ->
    {ok, P} = gen_server:start_link(?MODULE, A, []),
    gen_server:cast(P, {add, B}),
    case gen_server:call(P, get) of
        100 -> error(hundred);
        _ -> ok
    end.
init(N) -> {ok, N}.
handle_cast({add, X}, N) -> {noreply, N + X}.
handle_call(get, _, N) -> {reply, N, N}.

-spec dictionary(integer()) -> ok.
dictionary(N) ->
    Me = self(),
    P = spawn_link(fun() -> put(key, N), receive get -> Me ! {self(), get(key)} end end),
    P ! get,
    receive {P, 7} -> error(seven); {P, _} -> ok end.

-spec reason(integer()) -> ok.
reason(N) ->
    {P, R} = spawn_monitor(fun() -> exit({code, N}) end),
    receive {'DOWN', R, process, P, {code, 9}} -> error(nine); {'DOWN', R, process, P, {code, _}} -> ok end.

-spec name(somebody | nobody) -> ok.
name(Name) ->
    Me = self(),
    P = spawn_link(fun() -> receive M -> Me ! {self(), M} end end),
    register(somebody, P),
    Name ! hello,
    receive {P, hello} -> ok end.

-spec fun_sent(integer()) -> ok.
fun_sent(N) ->
    Me = self(),
    P = spawn_link(fun() -> receive F -> Me ! {self(), F(1)} end end),
    P ! fun(X) -> X + N end,
    receive {P, 11} -> error(eleven); {P, _} -> ok end.
