%% Atoms to text and back, with any characters.
%%! f('hello world') ==> {"hello world",<<"hello world">>,true,true}
%%! f('')            ==> {[],<<>>,true,true}
%%! f('é')           ==> {"é",<<"é"/utf8>>,true,true}
%%! f('日本')          ==> {[26085,26412],<<230,151,165,230,156,172>>,true,true}
%%! g("x y")         ==> 'x y'
%%! g([16#65e5])     ==> '日'
%%! g(<<"abc">>)     ==> error badarg
%%! g([a])           ==> error badarg
-module(conversions_of_atoms).
-export([f/1, g/1]).
f(A) -> {atom_to_list(A), atom_to_binary(A), list_to_atom(atom_to_list(A)) =:= A,
    binary_to_atom(atom_to_binary(A, utf8), utf8) =:= A}.
g(S) -> list_to_atom(S).
