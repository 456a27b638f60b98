%% Functions without failures and with infinitely many paths use up their runs.
%%! sum([1, 2])       ==> 3
%%! reverse("ab")     ==> "ba"
%%! flatten([a, [b]]) ==> [a,b]
%%! gcd(12, 18)       ==> 6
%%! count(b, [a, b])  ==> 1
%%! zip([1], [a, b])  ==> [{1,a}]
%%! bytes(<<1, 2>>)   ==> 2
%%? sum/1 with max 40: clean; budget
%%? reverse/1 with max 40: clean; budget
%%? flatten/1 with max 60: clean; budget
%%? gcd/2 with max 15: clean
%%? count/2 with max 40: clean; budget
%%? zip/2 with max 40: clean; budget
%%? bytes/1 with max 40: clean; budget
%%? sorted/1 with max 60: clean; budget
%%? deduplicate/1 with max 60: clean; budget
-module(infinite_and_right).
-export([sum/1, reverse/1, flatten/1, gcd/2, count/2, zip/2, bytes/1, sorted/1, deduplicate/1]).

-spec sum([integer()]) -> integer().
sum([]) -> 0;
sum([N | Ns]) -> N + sum(Ns).

-spec reverse([T]) -> [T].
reverse(L) ->
    R = reverse(L, []),
    L = reverse(R, []),
    R.

reverse([], R) -> R;
reverse([H | T], R) -> reverse(T, [H | R]).

-type nested() :: [atom() | nested()].
-spec flatten(nested()) -> [atom()].
flatten([]) -> [];
flatten([H | T]) when is_list(H) -> flatten(H) ++ flatten(T);
flatten([H | T]) -> [H | flatten(T)].

-spec gcd(non_neg_integer(), non_neg_integer()) -> non_neg_integer().
gcd(A, 0) -> A;
gcd(A, B) -> gcd(B, A rem B).

-spec count(term(), [term()]) -> non_neg_integer().
count(_, []) -> 0;
count(X, [X | Rest]) -> 1 + count(X, Rest);
count(X, [_ | Rest]) -> count(X, Rest).

-spec zip([term()], [term()]) -> [{term(), term()}].
zip([A | As], [B | Bs]) -> [{A, B} | zip(As, Bs)];
zip(_, _) -> [].

-spec bytes(binary()) -> non_neg_integer().
bytes(<<_, Rest/binary>>) -> 1 + bytes(Rest);
bytes(<<>>) -> 0.

-spec sorted([integer()]) -> [integer()].
sorted(L) ->
    S = insertion(L, []),
    true = S =:= lists:sort(L),
    S.

insertion([], Sorted) -> Sorted;
insertion([H | T], Sorted) -> insertion(T, insert(H, Sorted)).

insert(X, [Y | Ys]) when X > Y -> [Y | insert(X, Ys)];
insert(X, Ys) -> [X | Ys].

-spec deduplicate([term()]) -> [term()].
deduplicate([]) -> [];
deduplicate([H | T]) -> [H | deduplicate([X || X <- T, X =/= H])].
