%% An existing atom is found, an unknown one is badarg.
%%! f("lists")                              ==> lists
%%! f("no_such_atom_" ++ "was_ever_made")   ==> error badarg
%%! g(<<"true">>)                           ==> true
%%! g(<<"no_such_atom_", "was_ever_made">>) ==> error badarg
%%! f(1)                                    ==> error badarg
-module(existing).
-export([f/1, g/1]).
f(S) -> list_to_existing_atom(S).
g(B) -> binary_to_existing_atom(B).
