%% Calls that no call site shows. The first clause of helper/1 is taken by them only, and is never called unreachable.
-module(unseen).
-export([by_library/3, by_bytes/2, by_tail/1, helper/1]).

%% A library calls the function that the inputs name.
-spec by_library(module(), atom(), integer()) -> term().
by_library(_, _, X) when X > 10, X < 100 -> helper(X);
by_library(M, F, X) -> timer:tc(M, F, [X]).

%% A function comes out of bytes.
-spec by_bytes(binary(), integer()) -> term().
by_bytes(Bytes, X) when X > 10 -> {helper(X), (binary_to_term(Bytes))(X - 20)};
by_bytes(_, _) -> no.

%% A function stands in the tail of an improper list.
-spec by_tail(integer()) -> term().
by_tail(X) -> [_ | F] = pair(), F(erlang:phash2(X, 1000003)).

pair() -> [x | fun ?MODULE:helper/1].

helper(77) -> rare;
helper(_) -> usual.
