%% 255 characters make an atom, 256 are a system limit.
%%! f(255) ==> 255
%%! f(256) ==> error system_limit
%%! g(255) ==> 255
%%! g(256) ==> error system_limit
%%! h(255) ==> 765
-module(too_long).
-export([f/1, g/1, h/1]).
f(N) -> length(atom_to_list(list_to_atom(lists:duplicate(N, $a)))).
g(N) -> byte_size(atom_to_binary(binary_to_atom(binary:copy(<<"a">>, N), utf8))).
h(N) -> byte_size(atom_to_binary(list_to_atom(lists:duplicate(N, 16#20ac)))).
