%% Neither condition alone picks an input; both together are a system of two inequalities.
%%! below(18, 37) ==> error below
%%! below(18, 36) ==> ok
%%? below/2: finds error:below for (X, Y) when 2 * X < Y, 17 < X; failures = 1; exhausts; runs = 3
%%? untyped/2: finds error:below for (X, Y) when 2 * X < Y, 17 < X; finds error:badarith; failures = 2
-module(two_linear_conditions).
-export([below/2, untyped/2]).

-spec below(integer(), integer()) -> ok.
below(X, Y) ->
    case 2 * X < Y andalso 17 < X of
        true -> error(below);
        false -> ok
    end.

untyped(X, Y) ->
    case 2 * X < Y of
        true when is_integer(X), 17 < X -> error(below);
        _ -> ok
    end.
