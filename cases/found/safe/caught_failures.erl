%% What is asked before, or caught behind, does not fail.
%%! safe_head([])        ==> none
%%! safe_divide(1, 0)    ==> none
%%! safe_get(k, #{})     ==> none
%%! safe_integer("x")    ==> none
%%! safe_element(3, {a}) ==> none
%%? safe_head/1: clean; exhausts
%%? safe_divide/2: clean; exhausts
%%? safe_get/2: clean
%%? safe_integer/1 with max 60: clean
%%? safe_element/2 with max 60: clean
%%? safe_update/1: clean
-module(caught_failures).
-export([safe_head/1, safe_divide/2, safe_get/2, safe_integer/1, safe_element/2, safe_update/1]).

safe_head([H | _]) -> {ok, H};
safe_head(_) -> none.

-spec safe_divide(integer(), integer()) -> {ok, integer()} | none.
safe_divide(_, 0) -> none;
safe_divide(X, Y) -> {ok, X div Y}.

safe_get(K, M) when is_map_key(K, M) -> {ok, maps:get(K, M)};
safe_get(_, _) -> none.

safe_integer(S) ->
    try {ok, list_to_integer(S)} catch error:badarg -> none end.

safe_element(N, T) when is_tuple(T), is_integer(N), N >= 1, N =< tuple_size(T) -> {ok, element(N, T)};
safe_element(_, _) -> none.

safe_update(#{a := A} = M) -> M#{a := [A]};
safe_update(M) when is_map(M) -> M;
safe_update(_) -> none.
