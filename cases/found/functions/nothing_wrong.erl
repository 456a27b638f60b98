%% Without a bug: every path where functions are only asked, and a bound where they get functions.
%%? asked/2: clean; exhausts
%%? given/1 with max 300: clean; bounded >= 1
-module(nothing_wrong).
-export([asked/2, given/1]).

-spec asked(fun((boolean()) -> boolean()), boolean()) -> boolean().
asked(F, X) ->
    F(F(X)) andalso F(true).

-spec given(fun((fun((boolean()) -> boolean())) -> boolean())) -> boolean().
given(F) ->
    F(fun(X) -> not X end).
