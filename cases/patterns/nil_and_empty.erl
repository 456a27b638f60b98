%% The empty list, tuple, map, binary and string are told apart.
%%! [f(X) || X <- [[], {}, #{}, <<>>, "", '', <<"">>, [[]]]] ==> [nil,tuple,map,binary,nil,atom,binary,list_of_nil]
-module(nil_and_empty).
-export([f/1]).
f([]) -> nil;
f({}) -> tuple;
f(M) when M =:= #{} -> map;
f(<<>>) -> binary;
f('') -> atom;
f([[]]) -> list_of_nil.
