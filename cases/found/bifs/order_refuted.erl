%% Order and equality of nested data: what cannot be in any order is refuted.
%%! antisymmetric({1, {2, 3}}, {1, {2, 3}}) ==> ok
%%! between([1, 2, 3, 4], [1, 2, 3, 5])     ==> error between
%%! nested({1, {2, {3, 4}}})                ==> ok
%%! texts(<<"abc">>)                        ==> error middle
%%! transitive(1, a, {})                    ==> ok
%%! improper([1 | 2])                       ==> ok
%%! alike(#{a => 1})                        ==> error alike
%%? antisymmetric/2: clean; exhausts
%%? between/2 with max 300: finds error:between for ([1, 2, 3, X], [1, 2, 3, Y]) when X < Y; failures = 1
%%? nested/1: finds error:nested for ({1, {2, {3, X}}}) when X > 4; failures = 1; exhausts
%%? texts/1 with max 200: finds error:middle for (B) when B > <<"abb">>, B < <<"abd">>; failures = 1
%%? transitive/3: clean; exhausts
%%? improper/1: finds error:improper for ([1 | 3]); failures = 1; exhausts
%%? alike/1: finds error:alike for (#{a := 1}); failures = 1; exhausts
-module(order_refuted).
-export([antisymmetric/2, between/2, nested/1, texts/1, transitive/3, improper/1, alike/1]).

-spec antisymmetric({integer(), {integer(), integer()}}, {integer(), {integer(), integer()}}) -> ok.
antisymmetric(X, Y) when X < Y, Y < X -> error(circle);
antisymmetric(X, Y) when X =< Y, Y =< X, X =/= Y -> error(twins);
antisymmetric(_, _) -> ok.

-spec between([integer()], [integer()]) -> ok.
between([1, 2, 3, X], [1, 2, 3, Y]) when [1, 2, 3, X] < [1, 2, 3, Y] -> error(between);
between(_, _) -> ok.

-spec nested({integer(), {integer(), {integer(), integer()}}}) -> ok.
nested(T) when T > {1, {2, {3, 4}}}, T < {1, {2, {4, 0}}}, element(1, T) =:= 1 ->
    case T of
        {1, {2, {3, _}}} -> error(nested);
        {1, {2, {4, _}}} -> ok
    end;
nested(_) -> ok.

-spec texts(binary()) -> ok.
texts(B) when B > <<"abb">>, B < <<"abd">> -> error(middle);
texts(_) -> ok.

-spec transitive(any(), any(), any()) -> ok.
transitive(X, Y, Z) when X < Y, Y < Z, Z < X -> error(circle);
transitive(_, _, _) -> ok.

-spec improper(nonempty_improper_list(1, 2..3)) -> ok.
improper([1 | T] = L) when is_integer(T), L =/= [1 | 2] -> case T of 3 -> error(improper); _ -> error(what) end;
improper(_) -> ok.

-spec alike(#{a := integer()}) -> ok.
alike(M) when M =:= #{a => 1} -> error(alike);
alike(#{a := 1}) -> error(unlike);
alike(_) -> ok.
