%% The order of all terms: numbers, atoms, references, funs, ports, pids, tuples, maps, lists, bits.
%%! below({a}, #{})     ==> ok
%%! between(b)          ==> ok
%%! largest([1, a, {}]) ==> {}
%%? below/2: finds error:atom_below_list for (A, L) when is_atom(A), is_list(L), A < L
%%? between/1: finds error:{between,_} for (X) when X > 1, X < b; failures = 1
%%? pairs/2: finds error:ordered for ({A, 1}, {B, C}) when {A, 1} < {B, C}, A == B; failures = 1
%%? longer/1: finds error:longer for (L) when L > [1, 2], L < [1, 3]; failures = 1
-module(term_order).
-export([below/2, between/1, pairs/2, longer/1, largest/1]).

below(A, B) when A < B, is_atom(A), is_list(B) -> error(atom_below_list);
below(_, _) -> ok.

between(X) when X > 1, X < b, not is_number(X) -> error({between, X});
between(_) -> ok.

-spec pairs({integer(), integer()}, {integer(), integer()}) -> ok.
pairs({A, 1} = P, {A, _} = Q) when P < Q -> error(ordered);
pairs(_, _) -> ok.

-spec longer([integer()]) -> ok.
longer(L) when L > [1, 2], L < [1, 3] -> error(longer);
longer(_) -> ok.

largest(L) -> lists:max(L).
