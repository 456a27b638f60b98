%% A token comes back from a ring with as many added as there are members.
%%? round/2: clean; incomplete
%%? cut/2: finds deadlock for (A, B) when A =:= B orelse A =:= B + 1
-module(ring_is_clean).
-export([round/2, cut/2]).

-spec round(1..4, integer()) -> integer().
round(N, Token) ->
    First = lists:foldl(fun(_, Next) -> spawn_link(fun() -> member(Next, none) end) end, self(), lists:seq(1, N)),
    First ! {token, Token},
    receive {token, Back} -> true = Back =:= Token + N, Back end.

%% One member keeps a certain token.
-spec cut(integer(), integer()) -> integer().
cut(Token, Kept) ->
    First = lists:foldl(fun(_, Next) -> spawn_link(fun() -> member(Next, Kept + 1) end) end, self(), [1, 2]),
    First ! {token, Token},
    receive {token, Back} -> Back end.

member(Next, Kept) -> receive {token, Kept} -> member(Next, Kept); {token, N} -> Next ! {token, N + 1} end.
