%% Bound variables in receive patterns are compared.
%%! f() ==> {second,first}
-module(receive_pins).
-export([f/0]).
f() ->
    A = make_ref(), B = make_ref(),
    self() ! {A, first},
    self() ! {B, second},
    X = receive {B, V} -> V end,
    Y = receive {A, W} -> W end,
    {X, Y}.
