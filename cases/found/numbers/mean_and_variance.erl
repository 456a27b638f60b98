%% Statistics of a list: its length is found first, then its numbers.
%%! summary([2.0, 4.0]) ==> {3.0,1.0}
%%! summary([8, 11, 5]) ==> {8.0,6.0}
%%? exact/1: finds error:{exact,N} when N > 1; finds error:badarith; failures >= 2
%%? spread/1: finds error:spread for ([_, _, _]); finds error:badarith; failures >= 2
-module(mean_and_variance).
-export([summary/1, exact/1, spread/1]).

summary(Xs) ->
    Mean = lists:sum(Xs) / length(Xs),
    {Mean, lists:sum([(X - Mean) * (X - Mean) || X <- Xs]) / length(Xs)}.

-spec exact([integer()]) -> ok | {float(), float()}.
exact([]) ->
    ok;
exact(Xs) when length(Xs) < 4 ->
    case summary(Xs) of
        {7.5, Variance} when Variance > 20.0 -> error({exact, length(Xs)});
        Summary -> Summary
    end;
exact(_) ->
    ok.

-spec spread([float()]) -> ok | float().
spread([_, _, _] = Xs) ->
    {Mean, Variance} = summary(Xs),
    case math:sqrt(Variance) of
        D when abs(D - 3.0) < 1.0e-6, Mean == 10.0 -> error(spread);
        D -> D
    end;
spread(_) ->
    ok.
