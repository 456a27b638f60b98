%% Crashes where two conditions meet that random inputs do not: X is one number, and Y is large enough.
-module(toy).
-export([foo/2]).

-spec foo(integer(), integer()) -> ok.
foo(X, Y) ->
    Z = 2 * Y,
    case X =:= 100000 andalso X < Z of
        true -> error(assertion);
        false -> ok
    end.
