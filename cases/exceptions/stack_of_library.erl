%% An error inside a library names the library function with its arguments.
%%! f() ==> {function_clause,lists,nth,[2,[]]}
%%! g() ==> {badarith,[{lists,map_1,2},{lists,map,2}]}
-module(stack_of_library).
-export([f/0, g/0]).
f() -> try {lists:nth(3, [a]), x} catch error:R:S -> {M, F, A, _} = hd(S), {R, M, F, A} end.
g() ->
    try {lists:map(fun(X) -> 1 div X end, [1, 0]), x}
    catch error:R:S -> {R, [{M, F, A} || {M, F, A, _} <- S, M =:= lists, is_integer(A)]}
    end.
