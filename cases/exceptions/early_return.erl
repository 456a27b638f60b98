%% throw as a way out of a fold.
%%! f([1, 2, 30, 4]) ==> 30
%%! f([1, 2])        ==> {none_in,2}
-module(early_return).
-export([f/1]).
f(L) ->
    try lists:foldl(fun(X, _) when X > 10 -> throw({found, X}); (_, Acc) -> Acc + 1 end, 0, L) of
        N -> {none_in, N}
    catch
        {found, X} -> X
    end.
