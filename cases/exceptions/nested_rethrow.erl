%% An exception passes inner handlers that do not want it, and may be raised again.
%%! f(a) ==> inner
%%! f(b) ==> {outer,{again,b}}
%%! f(c) ==> {outer_error,turned}
%%! f(d) ==> {outer,d}
-module(nested_rethrow).
-export([f/1]).
f(X) ->
    try
        try
            try throw(X) catch a -> inner end
        catch
            b -> throw({again, b});
            c -> error(turned)
        end
    catch
        throw:T -> {outer, T};
        error:E -> {outer_error, E}
    end.
