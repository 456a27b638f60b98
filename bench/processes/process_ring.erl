%% Stresses switching: a token goes round a ring of a thousand processes.
-module(process_ring).
-export([main/1, size/0]).

size() -> 1000.

main(Rounds) ->
    Me = self(),
    First = lists:foldl(fun(_, Next) -> spawn_link(fun() -> member(Next) end) end, Me, lists:seq(1, 1000)),
    Token = rounds(Rounds, First, 0),
    First ! stop,
    receive stop -> Token end.

rounds(0, _, Token) -> Token;
rounds(N, First, Token) -> First ! {token, Token}, receive {token, Next} -> rounds(N - 1, First, Next) end.

member(Next) ->
    receive
        {token, N} -> Next ! {token, N + 1}, member(Next);
        stop -> Next ! stop
    end.
