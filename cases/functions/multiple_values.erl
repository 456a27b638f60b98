%% A case that binds several variables in every branch hands them all on.
%%! f(0)  ==> {zero,1}
%%! f(5)  ==> {positive,4}
%%! f(-5) ==> {negative,-4}
-module(multiple_values).
-export([f/1]).
f(N) ->
    case N of
        0 -> Kind = zero, Next = 1;
        _ when N > 0 -> Kind = positive, Next = N - 1;
        _ -> Kind = negative, Next = N + 1
    end,
    {Kind, Next}.
