%% Two arguments that share a variable of the specification are of one type.
%%! swap(1, 2) ==> error swapped
%%? swap/2: finds error:swapped for (1, 2); failures = 1; exhausts
-module(type_variables).
-export([swap/2]).

-spec swap(N, N) -> N when N :: integer().
swap(1, 2) -> error(swapped);
swap(A, _) when is_integer(A) -> A.
