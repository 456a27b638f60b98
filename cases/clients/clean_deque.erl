%% A queue with two ends as an abstract data type, with an invariant that all of its operations keep.
%%? client: clean
-module(clean_deque).
-beagle({invariant, is_consistent/1}).
-export([new/0, from_list/1, push_front/2, push_back/2, pop_front/1, pop_back/1, append/2, to_list/1, length/1]).
-export([is_consistent/1]).
-export_type([deque/0]).

-opaque deque() :: {Length :: non_neg_integer(), Front :: [integer()], Back :: [integer()]}.

-spec new() -> deque().
new() -> {0, [], []}.

-spec from_list([integer()]) -> deque().
from_list(L) -> {erlang:length(L), L, []}.

-spec push_front(integer(), deque()) -> deque().
push_front(X, {N, F, B}) -> {N + 1, [X | F], B}.

-spec push_back(integer(), deque()) -> deque().
push_back(X, {N, F, B}) -> {N + 1, F, [X | B]}.

-spec pop_front(deque()) -> {integer(), deque()} | empty.
pop_front({_, [], []}) -> empty;
pop_front({N, [X | F], B}) -> {X, {N - 1, F, B}};
pop_front({N, [], B}) -> pop_front({N, lists:reverse(B), []}).

-spec pop_back(deque()) -> {integer(), deque()} | empty.
pop_back({N, F, B}) ->
    case pop_front({N, B, F}) of
        {X, {M, B2, F2}} -> {X, {M, F2, B2}};
        empty -> empty
    end.

-spec append(deque(), deque()) -> deque().
append({M, _, _} = A, {N, _, _} = B) -> {M + N, to_list(A), lists:reverse(to_list(B))}.

-spec to_list(deque()) -> [integer()].
to_list({_, F, B}) -> F ++ lists:reverse(B).

-spec length(deque()) -> non_neg_integer().
length({N, _, _}) -> N.

-spec is_consistent(deque()) -> boolean().
is_consistent({N, F, B}) -> N =:= erlang:length(F) + erlang:length(B).
