%% Atoms are ordered by their texts.
%%! between(bet) ==> ok
%%! between(a)   ==> ok
%%? between/1: finds error:{between,_} for (A) when A > beta, A < gamma within 20 runs; failures = 1
-module(atoms_by_text).
-export([between/1]).

-spec between(atom()) -> ok.
between(A) when A > beta, A < gamma -> error({between, A});
between(_) -> ok.
