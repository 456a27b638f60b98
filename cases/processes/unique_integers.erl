%% Unique integers are different; monotonic ones grow; positive ones are positive.
%%! f() ==> {10,true,true}
-module(unique_integers).
-export([f/0]).
f() ->
    L = [erlang:unique_integer() || _ <- lists:seq(1, 10)],
    M = [erlang:unique_integer([monotonic]) || _ <- lists:seq(1, 10)],
    P = erlang:unique_integer([positive]),
    {length(lists:usort(L)), M =:= lists:sort(M), P > 0}.
