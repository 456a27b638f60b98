%% Variables exported from if and receive are seen after them.
%%! f(1, 2)   ==> {1,2,1}
%%! f(2, 1)   ==> {1,2,1}
%%! g({a, 1}) ==> {a,1}
%%! g({b, 1}) ==> {b,-1}
-module(multiple_values_if).
-export([f/2, g/1]).
f(X, Y) ->
    if
        X < Y -> Low = X, High = Y;
        true -> Low = Y, High = X
    end,
    {Low, High, High - Low}.
g(Message) ->
    self() ! Message,
    receive
        {a, V} -> From = a, Value = V;
        {From, V} -> Value = -V
    end,
    {From, Value}.
