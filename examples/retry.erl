%% Calls a function until it succeeds. What goes wrong here needs a function that fails in just the right way.
-module(retry).
-export([with_backoff/3, memoised/2]).

-type reply() :: {ok, integer()} | {retry, After :: non_neg_integer()} | {error, term()}.

-spec with_backoff(fun((Attempt :: pos_integer()) -> reply()), 1..4, pos_integer()) ->
    {ok, integer()} | {error, term()}.
with_backoff(Call, Attempts, Budget) ->
    attempt(Call, 1, Attempts, Budget).

attempt(_, Attempt, Attempts, _) when Attempt > Attempts ->
    {error, exhausted};
attempt(Call, Attempt, Attempts, Budget) ->
    case Call(Attempt) of
        {ok, Value} -> {ok, Value};
        {retry, After} -> attempt(Call, Attempt + 1, Attempts, remaining(Budget, After));
        {error, Reason} -> {error, Reason}
    end.

%% It was meant to be checked for the end of the budget.
remaining(Budget, After) when After < Budget -> Budget - After.

%% Remembers what a function answered; the key is taken from another function.
-spec memoised(fun((integer()) -> integer()), fun((integer()) -> integer())) -> ok.
memoised(Function, KeyOf) ->
    Table = #{KeyOf(1) => Function(1), KeyOf(2) => Function(2)},
    true = maps:get(KeyOf(1), Table) =:= Function(1),
    ok.
