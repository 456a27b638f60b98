%% The bug needs one exact number and a double above it: three paths, and one of them fails.
%%! foo(100000, 50000) ==> ok
%%! foo(100000, 50001) ==> error bug
%%? foo/2: finds error:bug for (100000, Y) when 2 * Y > 100000; failures = 1; exhausts; runs = 3
%%? foo/2 with order breadth: finds error:bug; exhausts; runs = 3
%%? foo/2 with order depth: finds error:bug; exhausts; runs = 3
-module(exact_number_below_double).
-export([foo/2]).

-spec foo(integer(), integer()) -> ok.
foo(X, Y) ->
    Z = 2 * Y,
    case X =:= 100000 andalso X < Z of
        true -> error(bug);
        false -> ok
    end.
