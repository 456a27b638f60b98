%% A server by hand: clients may push and pop, and popping what is empty crashes it.
%%? session/1 with bound 3: finds error:{badmatch, {down, _}} for (L) when length(L) >= 1; failures = 1
%%? careful/1 with bound 3: clean
-module(stack_server).
-export([session/1, careful/1]).

-spec session([{push, 0..9} | pop]) -> ok.
session(Requests) ->
    P = spawn(fun() -> loop([]) end),
    [{ok, _} = call(P, R) || R <- Requests],
    ok.

-spec careful([{push, 0..9} | pop]) -> ok.
careful(Requests) ->
    P = spawn(fun() -> loop([]) end),
    lists:foldl(fun(pop, 0) -> 0;
                   (pop, N) -> {ok, _} = call(P, pop), N - 1;
                   (Push, N) -> {ok, Size} = call(P, Push), true = Size =:= N + 1, Size
                end, 0, Requests),
    ok.

loop(Stack) ->
    receive
        {From, R, {push, X}} -> From ! {R, length(Stack) + 1}, loop([X | Stack]);
        {From, R, pop} when Stack =/= [] -> From ! {R, hd(Stack)}, loop(tl(Stack));
        {_, _, pop} -> exit(empty)
    end.
call(P, Request) ->
    R = monitor(process, P),
    P ! {self(), R, Request},
    receive
        {R, Answer} -> demonitor(R, [flush]), {ok, Answer};
        {'DOWN', R, _, _, Why} -> {down, Why}
    end.
