%% Variables bound before try are seen in all parts; those of the body in of.
%%! f(2) ==> {3,5,5}
%%! f(0) ==> {1,badarith}
-module(variables_in_try).
-export([f/1]).
f(X) ->
    Before = X + 1,
    try Y = 10 div X, {Y, Before} of
        {A, B} when A > B -> {Before, Y, A};
        Other -> {other, Other}
    catch
        error:R -> {Before, R}
    after
        put(before, Before)
    end.
