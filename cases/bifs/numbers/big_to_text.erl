%% Numbers of hundreds of digits print and read back.
%%! f(100) ==> {158,"93326215443944152681",true,true,9.332621544394415e157}
-module(big_to_text).
-export([f/1]).
f(N) ->
    F = lists:foldl(fun(X, P) -> X * P end, 1, lists:seq(1, N)),
    S = integer_to_list(F),
    {length(S), lists:sublist(S, 20), list_to_integer(S) =:= F, binary_to_integer(integer_to_binary(F, 36), 36) =:= F, float(F)}.
