%% Strict and lazy connectives: the strict ones want booleans on both sides.
%%! strict(true, 1)        ==> error badarg
%%! lazy(false, 1)         ==> false
%%! exclusive(true, false) ==> error one
%%? strict/2: finds error:badarg for (A, B) when not (is_boolean(A) and is_boolean(B)); failures = 1
%%? lazy/2: finds error:{badarg,_} for (A, _) when not is_boolean(A); failures = 1
%%? exclusive/2: finds error:one for (true, false); failures = 1; exhausts
%%? negated/1: finds error:{was,false} for (false); failures = 1; exhausts; runs = 2
-module(connectives).
-export([strict/2, lazy/2, exclusive/2, negated/1]).

strict(A, B) -> A and B.

lazy(A, B) -> A andalso B.

-spec exclusive(boolean(), boolean()) -> ok.
exclusive(A, B) ->
    case A xor B of
        true when A -> error(one);
        _ -> ok
    end.

-spec negated(boolean()) -> ok.
negated(A) ->
    case not A of
        true -> error({was, A});
        false -> ok
    end.
