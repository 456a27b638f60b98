%% Calls of funs and apply in tail position use no stack either.
%%! f(300000) ==> done
%%! g(300000) ==> done
-module(tail_through_fun).
-export([f/1, g/1, loop/1]).
f(N) ->
    Loop = fun(_, 0) -> done; (Self, K) -> Self(Self, K - 1) end,
    Loop(Loop, N).
g(N) -> apply(?MODULE, loop, [N]).
loop(0) -> done;
loop(N) -> apply(?MODULE, loop, [N - 1]).
