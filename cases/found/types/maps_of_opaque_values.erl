%% Maps hold values of opaque types under keys of any type, and under keys that may be absent.
%%! waiting(#{}, 1)                              ==> 0
%%! waiting(#{1 => queue:from_list([a])}, 1)     ==> error busy
%%! options(#{queue => queue:new()})             ==> error given
%%! options(#{})                                 ==> ok
%%? waiting/2 with max 60: finds error:busy; failures = 1
%%? options/1 with max 60: finds error:given; failures = 1
-module(maps_of_opaque_values).
-export([waiting/2, options/1]).

-spec waiting(#{integer() => queue:queue(atom())}, integer()) -> non_neg_integer().
waiting(Queues, Key) ->
    case Queues of
        #{Key := Queue} ->
            case queue:is_empty(Queue) of
                true -> 0;
                false -> error(busy)
            end;
        _ -> 0
    end.

-spec options(#{queue => queue:queue(atom())}) -> ok.
options(#{queue := _}) -> error(given);
options(_) -> ok.
