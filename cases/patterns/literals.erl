%% Literals of every kind match exactly: 1 is not 1.0.
%%! f(1)        ==> integer
%%! f(1.0)      ==> float
%%! f(-1)       ==> negative
%%! f($a)       ==> character
%%! f(a)        ==> atom
%%! f("a")      ==> string
%%! f([])       ==> nil
%%! f(<<"a">>)  ==> binary
%%! f({1, [x]}) ==> compound
%%! f('a b')    ==> quoted
%%! f(98)       ==> other
-module(literals).
-export([f/1]).
f(1) -> integer;
f(1.0) -> float;
f(-1) -> negative;
f($a) -> character;
f(a) -> atom;
f("a") -> string;
f([]) -> nil;
f(<<"a">>) -> binary;
f({1, [x]}) -> compound;
f('a b') -> quoted;
f(_) -> other.
