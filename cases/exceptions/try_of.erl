%% The of part sees the value; its exceptions are not caught.
%%! f(fun_ok)    ==> fine
%%! f(fun_throw) ==> {caught,from_body}
%%! f(of_throw)  ==> throw from_of
%%! f(of_none)   ==> error {try_clause,none}
-module(try_of).
-export([f/1]).
f(K) ->
    try body(K) of
        ok -> fine;
        bad -> throw(from_of)
    catch
        throw:T -> {caught, T}
    end.
body(fun_ok) -> ok;
body(fun_throw) -> throw(from_body);
body(of_throw) -> bad;
body(of_none) -> none.
