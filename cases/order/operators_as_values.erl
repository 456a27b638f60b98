%% Comparisons return booleans that can be used on.
%%! f(1, 2) ==> [true,true,false,false,false,true,false,true]
%%! f(2, 2) ==> [false,true,false,true,true,false,true,false]
-module(operators_as_values).
-export([f/2]).
f(A, B) -> [erlang:Op(A, B) || Op <- ['<', '=<', '>', '>=', '==', '/=', '=:=', '=/=']].
