%% A mailbox for letters: a plain process with a protocol of its own, where answers carry the reference of the request.
%% Fetching a letter twice kills it.
%%? client: finds error:{badmatch, false}
%% Scenario: P = spawned_loop:start(), 1 = spawned_loop:deliver(P, "a"), {ok, "a"} = spawned_loop:fetch(P, 1), spawned_loop:fetch(P, 1)
-module(spawned_loop).
-export([start/0, deliver/2, fetch/2, stop/1]).

-spec start() -> pid().
start() -> spawn(fun() -> loop(1, []) end).

%% The number under which the letter can be fetched.
-spec deliver(pid(), string()) -> pos_integer().
deliver(Box, Letter) -> ask(Box, {deliver, Letter}).

-spec fetch(pid(), pos_integer()) -> {ok, string()} | {error, unknown}.
fetch(Box, Number) -> ask(Box, {fetch, Number}).

-spec stop(pid()) -> ok.
stop(Box) -> ask(Box, stop).

ask(Box, Request) ->
    Ref = monitor(process, Box),
    Box ! {request, self(), Ref, Request},
    receive
        {answer, Ref, Answer} -> demonitor(Ref, [flush]), Answer;
        {'DOWN', Ref, process, _, Reason} -> exit(Reason)
    end.

loop(Next, Letters) ->
    receive
        {request, From, Ref, {deliver, Letter}} ->
            From ! {answer, Ref, Next},
            loop(Next + 1, [{Next, Letter} | Letters]);
        {request, From, Ref, {fetch, Number}} when Number >= Next ->
            From ! {answer, Ref, {error, unknown}},
            loop(Next, Letters);
        {request, From, Ref, {fetch, Number}} ->
            {Number, Letter} = lists:keyfind(Number, 1, Letters),
            From ! {answer, Ref, {ok, Letter}},
            loop(Next, lists:keydelete(Number, 1, Letters));
        {request, From, Ref, stop} ->
            From ! {answer, Ref, ok}
    end.
