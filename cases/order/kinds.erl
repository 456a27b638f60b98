%% number < atom < reference < fun < port < pid < tuple < map < list < bitstring.
%%! sorted()    ==> [number,atom,ref,function,pid,tuple,map,nil,list,bits]
%%! all_pairs() ==> true
-module(kinds).
-export([sorted/0, all_pairs/0]).
kinds() -> [{number, 1}, {atom, a}, {ref, make_ref()}, {function, fun() -> ok end}, {pid, self()},
            {tuple, {}}, {map, #{}}, {nil, []}, {list, [1]}, {bits, <<>>}].
sorted() -> [K || {_, K} <- lists:sort([{V, K} || {K, V} <- lists:reverse(kinds())])].
all_pairs() ->
    Numbered = lists:zip(lists:seq(1, length(kinds())), kinds()),
    lists:all(fun({{I, {_, A}}, {J, {_, B}}}) ->
        {A < B, A > B, A =< B, A >= B} =:= {I < J, I > J, I =< J, I >= J}
    end, [{X, Y} || X <- Numbered, Y <- Numbered, X =/= Y]).
