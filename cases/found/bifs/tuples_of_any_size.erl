%% Positions in tuples, and tuples as lists.
%%! at(2, {a, b})        ==> b
%%! put_at(4, {a, b, c}) ==> error badarg
%%! listed({1, 2})       ==> [1,2]
%%? at/2: finds error:badarg for (N, T) when (N < 1) or (N > tuple_size(T)); failures = 1; exhausts
%%? put_at/2: finds error:badarg for (N, _) when N < 1; failures = 1; exhausts
%%? listed/1: finds error:{sum,_} for ({A, B}) when A + B =:= 10; failures = 1
%%? built/1: finds error:pair for ([a, b]); failures = 1
-module(tuples_of_any_size).
-export([at/2, put_at/2, listed/1, built/1]).

-spec at(integer(), {integer(), integer()}) -> integer().
at(N, T) -> element(N, T).

-spec put_at(-3..3, {a, b, c}) -> tuple().
put_at(N, T) -> setelement(N, T, x).

-spec listed({integer(), integer()}) -> [integer()].
listed(T) ->
    case tuple_to_list(T) of
        [A, B] when A + B =:= 10 -> error({sum, T});
        L -> L
    end.

-spec built([atom()]) -> tuple().
built(L) ->
    case list_to_tuple(L) of
        {a, b} -> error(pair);
        T -> T
    end.
