%% A child that dies of an error is a crash, though nobody is linked with it or asks.
%%? unseen/1: finds error:badarith for (0); failures = 1; exhausts
%%? unseen_and_awaited/1: finds error:{bad, N} for (N) when N > 100; failures = 1; exhausts
-module(child_dies_unseen).
-export([unseen/1, unseen_and_awaited/1]).

-spec unseen(integer()) -> ok.
unseen(N) -> spawn(fun() -> 10 div N end), ok.

-spec unseen_and_awaited(integer()) -> ok.
unseen_and_awaited(N) ->
    Me = self(),
    P = spawn(fun() -> Me ! {self(), ready}, checked(N) end),
    receive {P, ready} -> ok end.

checked(N) when N > 100 -> error({bad, N});
checked(_) -> ok.
