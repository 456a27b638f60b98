%% A process answers with the next number; 42 must not come back.
%%? ask/1: finds error:answer for (41); failures = 1; exhausts
%%? twice/1: finds error:answer for (20); failures = 1; exhausts
-module(answer_is_42).
-export([ask/1, twice/1]).

-spec ask(integer()) -> ok.
ask(N) -> judged(asked(spawn(fun serve/0), N)).

-spec twice(integer()) -> ok.
twice(N) ->
    P = spawn(fun serve/0),
    judged(asked(P, asked(P, N) + N)).

serve() -> receive {From, N} -> From ! {self(), N + 1}, serve() end.
asked(P, N) -> P ! {self(), N}, receive {P, M} -> M end.
judged(42) -> error(answer);
judged(_) -> ok.
