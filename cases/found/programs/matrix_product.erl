%% Rows and columns that do not fit.
%%! dot([1, 2], [3, 4]) ==> error {eleven,[1,2]}
%%! dot([1], [])        ==> error function_clause
%%? dot/2 with max 100: finds error:function_clause for (A, B) when length(A) =/= length(B); finds error:{eleven,_} for (A, B) when length(A) =:= length(B); failures >= 2
-module(matrix_product).
-export([dot/2]).

-spec dot([integer()], [integer()]) -> integer().
dot(A, B) ->
    case product(A, B) of
        11 -> error({eleven, A});
        P -> P
    end.

product([], []) -> 0;
product([X | Xs], [Y | Ys]) -> X * Y + product(Xs, Ys).
