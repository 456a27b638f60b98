%% The order of the keys of a large map is up to the runtime.
-module(order).
-export([first/1]).

-spec first(1..40) -> atom().
first(Key) ->
    Map = maps:from_list([{N, true} || N <- lists:seq(1, 40)]),
    case hd(maps:keys(Map)) of
        Key ->
            found; %! unconfirmed
        _ ->
            other %! reached
    end.
