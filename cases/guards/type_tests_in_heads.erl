%% Type tests as guards of clauses.
%%! [f(X) || X <- [1, 1.5, a, "s", {}, #{}, <<1>>, <<1:3>>, true, [a | b]]] ==> [integer,float,atom,list,tuple,map,binary,bitstring,boolean,improper_list]
-module(type_tests_in_heads).
-export([f/1]).
f(X) when is_boolean(X) -> boolean;
f(X) when is_atom(X) -> atom;
f(X) when is_integer(X) -> integer;
f(X) when is_float(X) -> float;
f(X) when is_list(X), length(X) >= 0 -> list;
f(X) when is_list(X) -> improper_list;
f(X) when is_tuple(X) -> tuple;
f(X) when is_map(X) -> map;
f(X) when is_binary(X) -> binary;
f(X) when is_bitstring(X) -> bitstring.
