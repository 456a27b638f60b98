%% Membership, keys and positions in lists.
%%! member(3, [1, 3])        ==> true
%%! key(b, [{a, 1}, {b, 2}]) ==> 2
%%! replaced([{a, 1}])       ==> []
%%? member/2 with max 100: finds error:third for (X, [_, _, X]); failures = 1
%%? key/2 with max 200: finds error:{seven,_} for (K, L) when is_atom(K), is_list(L); failures = 1
%%? replaced/1 with max 200: finds error:taken for ([{a, _} | _]); failures = 1
%%? nth/2: finds error:function_clause for (N, L) when (N < 1) or (N > length(L)); failures >= 1
-module(lists_searched).
-export([member/2, key/2, replaced/1, nth/2]).

-spec member(integer(), [integer()]) -> boolean().
member(X, [A, B, _] = L) when A =/= X, B =/= X ->
    lists:member(X, L) andalso error(third);
member(X, L) ->
    lists:member(X, L).

-spec key(atom(), [{atom(), integer()}]) -> integer() | none.
key(K, L) ->
    case lists:keyfind(K, 1, L) of
        {K, 7} -> error({seven, K});
        {K, N} -> N;
        false -> none
    end.

-spec replaced([{atom(), integer()}]) -> [{atom(), integer()}].
replaced(L) ->
    case lists:keytake(a, 1, L) of
        {value, {a, N}, Rest} when N > 9 -> error(taken, [N, Rest]);
        {value, _, Rest} -> Rest;
        false -> lists:keystore(a, 1, L, {a, 0})
    end.

-spec nth(integer(), [atom()]) -> atom().
nth(N, L) -> lists:nth(N, L).
