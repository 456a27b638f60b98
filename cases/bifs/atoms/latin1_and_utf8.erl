%% atom_to_binary in latin1 fails for characters beyond it.
%%! f('é', latin1)     ==> <<"é">>
%%! f('é', utf8)       ==> <<"é"/utf8>>
%%! f('€', latin1)     ==> error badarg
%%! f('€', unicode)    ==> <<226,130,172>>
%%! f(a, ascii)        ==> error badarg
%%! g(<<233>>, latin1) ==> "é"
%%! g(<<233>>, utf8)   ==> error badarg
-module(latin1_and_utf8).
-export([f/2, g/2]).
f(A, E) -> atom_to_binary(A, E).
g(B, E) -> atom_to_list(binary_to_atom(B, E)).
