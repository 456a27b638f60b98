%% A guard that errs in a catch clause only means no match.
%%! f({a}) ==> tuple
%%! f(b)   ==> b
-module(catch_guard_fails).
-export([f/1]).
f(X) ->
    try throw(X)
    catch
        T when element(1, T) =:= a -> tuple;
        T when hd(T) =:= a; T =:= b -> b
    end.
