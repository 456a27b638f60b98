%% Each clause of an overloaded specification gives inputs, and no input mixes two of them.
%%! twice(3)    ==> 6
%%! twice("ab") ==> "abab"
%%! inside(1)   ==> true
%%? twice/1: finds error:{list,_} for ([_,_,_]); finds error:{integer,7} for (7); failures = 2; inputs inside
-module(overloaded_spec).
-export([twice/1, inside/1]).

-spec twice(integer()) -> integer();
           ([atom()]) -> [atom()].
twice(7) -> error({integer, 7});
twice(N) when is_integer(N) -> 2 * N;
twice([_, _, _] = L) -> error({list, L});
twice(L) when is_list(L) -> L ++ L;
twice(_) -> error(outside).

inside(X) -> is_integer(X) orelse is_list(X) andalso lists:all(fun is_atom/1, X).
