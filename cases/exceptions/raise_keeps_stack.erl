%% Raising again with the caught stack keeps where it came from.
%%! f() ==> {{wrapped,origin},raise_keeps_stack,source,1}
-module(raise_keeps_stack).
-export([f/0]).
f() ->
    try middle()
    catch error:R:Stack -> {M, F, A, _} = hd(Stack), {R, M, F, A}
    end.
middle() -> try source(1) catch C:R:S -> erlang:raise(C, {wrapped, R}, S) end.
source(X) -> {error(origin), X}.
