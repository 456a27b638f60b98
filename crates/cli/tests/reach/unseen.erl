%% Calls that no call site shows. The first clause of helper/1 is taken by them only, and is never called unreachable.
-module(unseen).
-export([by_library/3, by_bytes/2, by_tail/1, by_type/3, by_reading/2, helper/1]).

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

%% The names stand in the specification.
-spec by_type(unseen, helper, integer()) -> term().
by_type(_, _, X) when X > 1000 -> helper(X);
by_type(M, F, X) -> timer:tc(M, F, [X]).

%% The names are read from text.
-spec by_reading(string(), integer()) -> term().
by_reading(_, X) when X > 1000 -> helper(X);
by_reading(Text, X) ->
    case io_lib:fread("~a ~a", Text) of
        {ok, [M, F], _} -> timer:tc(M, F, [X]);
        _ -> none
    end.

pair() -> [x | fun ?MODULE:helper/1].

helper(77) -> rare;
helper(_) -> usual.
