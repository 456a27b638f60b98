%% An item far down a list.
%%! fiftieth(lists:seq(1, 50)) ==> 50
%%! fiftieth([])               ==> error function_clause
%%? fiftieth/1: finds error:found for (L) when length(L) >= 50 within 20 runs; finds error:function_clause for (L) when length(L) < 50; failures = 2
-module(fiftieth_item).
-export([fiftieth/1]).

-spec fiftieth([term()]) -> term().
fiftieth(L) ->
    case lists:nth(50, L) of
        x -> error(found);
        Other -> Other
    end.
