%% dict and orddict agree.
%%! f(dict)    ==> {[{a,6},{b,2},{c,3},{l,[y,x]}],error,2,3,11}
%%! f(orddict) ==> {[{a,6},{b,2},{c,3},{l,[y,x]}],error,2,3,11}
-module(dicts).
-export([f/1]).
f(D) ->
    A = D:from_list([{a, 1}, {b, 2}]),
    B = D:append(l, x, D:append(l, y, D:update_counter(a, 5, D:store(c, 3, A)))),
    {lists:sort(D:to_list(B)), D:find(z, B), D:fetch(b, B), D:size(D:erase(a, B)),
     D:fold(fun(_, V, S) when is_integer(V) -> V + S; (_, _, S) -> S end, 0, B)}.
