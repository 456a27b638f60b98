%% Funs live in maps, tuples and lists like any other value.
%%! f(add)  ==> 7
%%! f(neg)  ==> -3
%%! f(none) ==> unknown
-module(in_data).
-export([f/1]).
f(Op) ->
    Table = #{add => {2, fun(A, B) -> A + B end}, neg => {1, fun(A) -> -A end}},
    case Table of
        #{Op := {2, F}} -> F(3, 4);
        #{Op := {1, F}} -> F(3);
        #{} -> unknown
    end.
