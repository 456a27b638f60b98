%% A process that nobody can wake any more: one alone, two for each other, a call without an answer.
%%? alone/1: finds deadlock for (true); failures = 1
%%? each_other/1: finds deadlock for (N) when N > 10; failures = 1
%%? call_without_answer/1: finds deadlock for (never); failures = 1
%%? idle_servers/1: clean; exhausts
-module(waits_for_nobody).
-behaviour(gen_server).
-export([alone/1, each_other/1, call_without_answer/1, idle_servers/1, init/1, handle_call/3, handle_cast/2]).

-spec alone(boolean()) -> ok.
alone(IsSilent) ->
    Me = self(),
    P = spawn(fun() -> case IsSilent of true -> ok; false -> Me ! {self(), hello} end end),
    receive {P, hello} -> ok end.

-spec each_other(0..20) -> ok.
each_other(N) ->
    Me = self(),
    P = spawn(fun() -> receive {Me, X} -> Me ! {self(), X} end end),
    case N > 10 of
        true -> receive {P, X} -> P ! {Me, X}, ok end;
        false -> P ! {Me, N}, receive {P, N} -> ok end
    end.

-spec call_without_answer(now | never) -> ok.
call_without_answer(When) ->
    {ok, P} = gen_server:start(?MODULE, [], []),
    gen_server:call(P, When).

%% Servers that are left over wait for good; that is what they are for.
-spec idle_servers(0..2) -> ok.
idle_servers(N) ->
    [{ok, _} = gen_server:start(?MODULE, [], []) || _ <- lists:seq(1, N)],
    ok.

init(S) -> {ok, S}.
handle_cast(_, S) -> {noreply, S}.
handle_call(now, _, S) -> {reply, ok, S};
handle_call(never, _, S) -> {noreply, S}.
