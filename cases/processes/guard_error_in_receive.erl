%% A guard that errs in receive skips the message.
%%! f() ==> {{x},5}
-module(guard_error_in_receive).
-export([f/0]).
f() ->
    [self() ! M || M <- [atom, 5, {x}]],
    receive M when element(1, M) =:= x -> {M, receive N when N + 1 > 0 -> N end} end.
