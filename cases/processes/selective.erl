%% A receive takes the first message that matches, and leaves the others in place.
%%! f() ==> {1,2,[a,c,d]}
%%! g() ==> {7,[5,1,3]}
-module(selective).
-export([f/0, g/0]).
f() ->
    [self() ! M || M <- [a, {b, 1}, c, {b, 2}, d]],
    B1 = receive {b, X} -> X end,
    B2 = receive {b, Y} -> Y end,
    {B1, B2, flush()}.
g() ->
    [self() ! N || N <- [5, 1, 7, 3]],
    Big = receive N when N > 5 -> N end,
    {Big, flush()}.
flush() -> receive M -> [M | flush()] after 0 -> [] end.
