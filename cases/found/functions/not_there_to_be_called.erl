%% A function whose type leaves open which of several it is, or that lies in an opaque value, is not called wrongly.
%%? either/1: clean; incomplete
%%? tagged/1: clean; exhausts
%%? stored/1: clean; incomplete
%%? compared/1: clean; incomplete
-module(not_there_to_be_called).
-export([either/1, tagged/1, stored/1, compared/1]).
-export_type([store/0]).

-opaque store() :: {store, integer(), fun((integer()) -> integer())}.

-spec either(boolean()) -> {ok, fun((integer()) -> atom())} | {ok, fun((integer()) -> integer())}.
either(true) -> {ok, fun(X) -> X end};
either(false) -> {ok, fun(_) -> a end}.

-spec tagged(boolean()) -> {a, fun((integer()) -> atom())} | {i, fun((integer()) -> integer())}.
tagged(true) -> {i, fun(X) -> X end};
tagged(false) -> {a, fun(_) -> a end}.

-spec stored(fun((integer()) -> integer())) -> store().
stored(F) -> {store, 0, F}.

-spec compared(fun((reference(), reference()) -> boolean())) -> boolean().
compared(F) ->
    {R, S} = {make_ref(), make_ref()},
    F(R, R) andalso F(R, S).
