%% An exception in a handler goes to the next try outside.
%%! f() ==> {outer,badarith}
%%! g() ==> {b,c}
-module(exception_in_handler).
-export([f/0, g/0]).
f() -> try (try throw(a) catch a -> 1 div zero() end) catch error:R -> {outer, R} end.
zero() -> 0.
g() ->
    try
        try error(a) catch error:a -> throw({b, catch throw(c)}) end
    catch
        T -> T
    end.
