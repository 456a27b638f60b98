%% Arguments may come from a list of any length that was computed.
%%! f(0) ==> []
%%! f(1) ==> [1]
%%! f(4) ==> {4,3,2,1}
-module(spread).
-export([f/1]).
f(N) ->
    Args = lists:seq(1, N),
    Fun = case N of
        0 -> fun() -> [] end;
        1 -> fun(A) -> [A] end;
        4 -> fun(A, B, C, D) -> {D, C, B, A} end
    end,
    apply(Fun, Args).
