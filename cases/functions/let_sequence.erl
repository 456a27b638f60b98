%% Expressions run in order, and the last one is the value.
%%! f(3) ==> {3,6,49,7}
%%! g()  ==> {{a,[b,c],d},[a,b,c,d]}
-module(let_sequence).
-export([f/1, g/0]).
f(X) ->
    Y = X * 2,
    Z = begin W = Y + 1, W * W end,
    _ = Z div 2,
    {X, Y, Z, W}.
g() ->
    put(trace, []),
    R = {note(a), [note(b), note(c)], note(d)},
    {R, lists:reverse(get(trace))}.
note(X) -> put(trace, [X | get(trace)]), X.
