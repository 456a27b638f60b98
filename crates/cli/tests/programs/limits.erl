%% Programs that use up what they are given, each in its own way.
-module(limits).
-export([captures/1, spread/1, frames/1, check/0, cells/1, tuples/1, bytes/1, maps/2, closures/1, keep/2]).
-export([by_value/3, by_name/4, by_apply/3, wide/60]).

id(X) -> X.

captures(N) ->
    [A1, A2, A3, A4, A5, A6, A7, A8 | _] = lists:seq(N, N + 8),
    [B1, B2, B3, B4, B5, B6, B7, B8 | _] = lists:seq(N, N + 9),
    [C1, C2, C3, C4, C5, C6, C7, C8 | _] = lists:seq(N, N + 10),
    F = fun(X) -> {X, A1, A2, A3, A4, A5, A6, A7, A8, B1, B2, B3, B4, B5, B6, B7, B8, C1, C2, C3, C4, C5, C6, C7, C8} end,
    descend(N, F, pad(N)).

pad(0) -> a;
pad(1) -> {a};
pad(_) -> [a].

descend(N, F, Pad) ->
    X = F(N),
    [element(1, X), Pad | descend(N, F, Pad)].

spread(N) ->
    Args = lists:seq(1, 60),
    descend_spread(N, Args, pad(N)).

descend_spread(N, Args, Pad) ->
    X = apply(fun ?MODULE:wide/60, Args),
    [X, Pad | descend_spread(N, Args, Pad)].

wide(A, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _,
     _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, B) ->
    id(A) + B.

frames(N) -> id(frames(N)).

check() -> {lists:sum(lists:seq(1, 10)), <<1, 2, 3>>, id("abc")}.

cells(L) -> cells([L | L]).

tuples(T) -> tuples({T, T, 1}).

bytes(B) -> bytes(<<B/binary, 1, 2, 3, 4, 5, 6, 7, 8>>).

maps(M, N) -> maps(M#{N => N}, N + 1).

closures(F) -> closures(fun() -> {F, F()} end).

keep(L, N) -> keep([list_to_tuple(lists:seq(1, 100)) | L], N + 1).

by_value(_, Sum, 0) -> Sum;
by_value(F, Sum, N) -> by_value(F, F(Sum, 1), N - 1).

by_name(_, _, Sum, 0) -> Sum;
by_name(M, F, Sum, N) -> by_name(M, F, M:F(Sum, 1), N - 1).

by_apply(_, Sum, 0) -> Sum;
by_apply(F, Sum, N) -> by_apply(F, apply(F, [Sum, 1]), N - 1).
