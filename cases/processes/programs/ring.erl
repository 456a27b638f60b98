%% A token goes round a ring of processes; each adds one.
%%! round(1, 1)    ==> 1
%%! round(5, 3)    ==> 15
%%! round(100, 10) ==> 1000
-module(ring).
-export([round/2]).
round(N, Times) ->
    Me = self(),
    Last = lists:foldl(fun(_, Next) -> spawn_link(fun() -> member(Next) end) end, Me, lists:seq(1, N)),
    Result = times(Last, Times, 0),
    Last ! stop,
    receive stop -> Result end.
times(_, 0, Token) -> Token;
times(First, Times, Token) -> First ! {token, Token}, receive {token, Next} -> times(First, Times - 1, Next) end.
member(Next) ->
    receive
        {token, N} -> Next ! {token, N + 1}, member(Next);
        stop -> Next ! stop
    end.
