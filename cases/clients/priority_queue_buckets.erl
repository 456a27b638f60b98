%% A priority queue as a list of buckets. Popping the last item of a bucket leaves the empty bucket at the front.
%%? client: finds error:{badmatch, [{_, []} | _]}
%% Scenario: Q = priority_queue_buckets:push(1, a, priority_queue_buckets:new()), {a, R} = priority_queue_buckets:pop(Q), priority_queue_buckets:pop(R)
-module(priority_queue_buckets).
-export([new/0, push/3, pop/1, is_empty/1]).
-export_type([pq/0]).

-opaque pq() :: [{Priority :: integer(), [atom()]}].

-spec new() -> pq().
new() -> [].

-spec push(Priority :: integer(), atom(), pq()) -> pq().
push(P, Item, [{Q, _} = First | Rest]) when P > Q -> [First | push(P, Item, Rest)];
push(P, Item, [{P, Items} | Rest]) -> [{P, Items ++ [Item]} | Rest];
push(P, Item, Queue) -> [{P, [Item]} | Queue].

-spec pop(pq()) -> {atom(), pq()} | empty.
pop([]) -> empty;
pop(Queue) ->
    [{P, [Item | Items]} | Rest] = Queue,
    {Item, [{P, Items} | Rest]}.

-spec is_empty(pq()) -> boolean().
is_empty(Queue) -> Queue =:= [].
