%% Bug: after the queue was full and something was taken out, the next item is written behind the end.
%% Needs: 6 calls (the smallest queue has three places).
%% Scenario: Q0 = bounded_queue:new(3), Q3 = lists:foldl(fun(X, Q) -> {ok, R} = bounded_queue:in(X, Q), R end, Q0, [1, 2, 3]), full = bounded_queue:in(9, Q3), {1, Q4} = bounded_queue:out(Q3), bounded_queue:in(4, Q4)
%%? client: finds error:badarg
-module(bounded_queue).
-export([new/1, in/2, out/1, size/1]).
-export_type([queue/0]).

-record(queue, {cells :: tuple(), first = 1 :: pos_integer(), size = 0 :: non_neg_integer()}).
-opaque queue() :: #queue{}.

-spec new(3..8) -> queue().
new(Places) -> #queue{cells = erlang:make_tuple(Places, none)}.

-spec in(integer(), queue()) -> {ok, queue()} | full.
in(_, #queue{cells = Cells, size = Size}) when Size =:= tuple_size(Cells) -> full;
in(X, #queue{cells = Cells, first = First, size = Size} = Q) ->
    At = case First + Size of
        Next when Next > tuple_size(Cells) + 1 -> Next - tuple_size(Cells);
        Next -> Next
    end,
    {ok, Q#queue{cells = setelement(At, Cells, X), size = Size + 1}}.

-spec out(queue()) -> {integer(), queue()} | empty.
out(#queue{size = 0}) -> empty;
out(#queue{cells = Cells, first = First, size = Size} = Q) ->
    {element(First, Cells), Q#queue{first = First rem tuple_size(Cells) + 1, size = Size - 1}}.

-spec size(queue()) -> non_neg_integer().
size(#queue{size = Size}) -> Size.
