%% The other functions of lists that go by a key.
%%! known(b, [{a, 1}])        ==> false
%%! dropped([{a, 1}, {b, 2}]) ==> error only_b
%%! renamed([{a, 1}])         ==> [{a,1}]
%%? known/2 with max 100: finds error:known for (K, [{_, _}, {K, _}]); failures = 1
%%? dropped/1 with bound 3, max 200: finds error:only_b for (L) when length(L) =:= 2; failures = 1
%%? renamed/1 with max 100: finds error:{renamed,_} for ([{a, 3} | _]); failures = 1
%%? position/1: finds error:badarg for (0); failures = 1
-module(key_family).
-export([known/2, dropped/1, renamed/1, position/1]).

-type pairs() :: [{atom(), integer()}].

-spec known(atom(), pairs()) -> boolean().
known(K, [{A, _}, _] = L) when A =/= K -> lists:keymember(K, 1, L) andalso error(known);
known(K, L) -> lists:keymember(K, 1, L).

-spec dropped(pairs()) -> pairs().
dropped(L) ->
    case lists:keydelete(a, 1, L) of
        [{b, _}] when length(L) =:= 2 -> error(only_b);
        Rest -> Rest
    end.

-spec renamed(pairs()) -> pairs().
renamed([{a, 3} | _] = L) ->
    case lists:keyreplace(a, 1, L, {b, 0}) of
        [{b, 0} | _] = New -> error({renamed, New});
        New -> New
    end;
renamed(L) -> L.

-spec position(0..3) -> boolean().
position(N) -> lists:keymember(a, N, [{x, y, a}]).
