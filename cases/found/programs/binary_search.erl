%% A binary search whose upper bound is one too high looks behind the end.
%%! find(5, {1, 3, 5}) ==> 3
%%! find(4, {1, 3, 5}) ==> none
%%! find(9, {1, 3, 5}) ==> error badarg
%%? find/2: finds error:badarg for (X, {_, _, C}) when X > C; failures = 1
-module(binary_search).
-export([find/2]).

-spec find(integer(), {integer(), integer(), integer()}) -> pos_integer() | none.
find(X, Sorted) -> find(X, Sorted, 1, tuple_size(Sorted) + 1).

find(_, _, Low, High) when Low > High -> none;
find(X, Sorted, Low, High) ->
    Middle = (Low + High) div 2,
    case element(Middle, Sorted) of
        X -> Middle;
        Y when Y < X -> find(X, Sorted, Middle + 1, High);
        _ -> find(X, Sorted, Low, Middle - 1)
    end.
