%% A ring buffer in a tuple. The position of the next write wraps round one too late, behind the end of the tuple.
%%? client: finds error:badarg
%% Scenario: B0 = ring_buffer_wraps:new(2), B1 = ring_buffer_wraps:write(1, B0), B2 = ring_buffer_wraps:write(2, B1), [1, 2] = ring_buffer_wraps:to_list(B2), ring_buffer_wraps:write(3, B2)
-module(ring_buffer_wraps).
-export([new/1, write/2, to_list/1, size/1]).
-export_type([ring/0]).

-opaque ring() :: {Next :: pos_integer(), Count :: non_neg_integer(), tuple()}.

-spec new(2..16) -> ring().
new(Capacity) -> {1, 0, erlang:make_tuple(Capacity, empty)}.

-spec write(integer(), ring()) -> ring().
write(X, {Next, Count, Cells}) ->
    Written = setelement(Next, Cells, X),
    {if Next > tuple_size(Cells) -> 1; true -> Next + 1 end, min(Count + 1, tuple_size(Cells)), Written}.

%% The oldest comes first.
-spec to_list(ring()) -> [integer()].
to_list({Next, Count, Cells}) ->
    Capacity = tuple_size(Cells),
    [element((Next - Back - 1 + Capacity) rem Capacity + 1, Cells) || Back <- lists:seq(Count, 1, -1)].

-spec size(ring()) -> non_neg_integer().
size({_, Count, _}) -> Count.
