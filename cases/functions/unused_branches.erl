%% Code that can never run does no harm.
%%! f(1) ==> fine
%%! g()  ==> ok
-module(unused_branches).
-export([f/1, g/0]).
f(X) ->
    case is_atom(X) andalso is_integer(X) of
        true -> 1 div zero();
        false -> fine
    end.
zero() -> 0.
g() -> _ = fun() -> error(never_called) end, case true of true -> ok; false -> error(never) end.
