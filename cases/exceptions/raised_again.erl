%% An exception that is raised again with its stack keeps what the arguments in that stack depend on.
%%! again(8) ==> 8
%%! again(7) ==> error function_clause
%%! shown(3) ==> error {small,3}
%%? again/1: finds error:function_clause for (N) when N =< 7; failures = 1; exhausts
%%? shown/1: finds error:{small, 3}; failures = 1; incomplete
-module(raised_again).
-export([again/1, shown/1]).
-spec again(integer()) -> integer().
again(N) -> try large(N) catch error:Reason:Stack -> erlang:raise(error, Reason, Stack) end.
large(N) when N > 7 -> N.
-spec shown(integer()) -> integer().
shown(N) ->
    try again(N)
    catch error:function_clause:Stack ->
        case hd(Stack) of
            {_, large, [3], _} -> error({small, 3});
            _ -> 0
        end
    end.
