%% A case may decide by guards alone.
%%! f(-1)  ==> negative
%%! f(0)   ==> zero
%%! f(12)  ==> {small_even,12}
%%! f(123) ==> other
-module(case_of_guards).
-export([f/1]).
f(X) ->
    case X of
        _ when X < 0 -> negative;
        _ when X =:= 0 -> zero;
        _ when X < 100, X rem 2 =:= 0; X =:= 99 -> {small_even, X};
        _ -> other
    end.
