%% Money transferred from an account to itself is made from nothing.
%%! transfer(a, b, 5, #{a => 7, b => 1}) ==> {ok,#{a => 2,b => 6}}
%%! transfer(a, a, 5, #{a => 7})         ==> error {total_changed,7,12}
%%! transfer(a, b, 9, #{a => 7, b => 1}) ==> {error,overdrawn}
%%? transfer/4 with max 12: finds error:{total_changed,_,_} for (A, A, N, M) when N > 0, N =< map_get(A, M); failures = 1
-module(bank_ledger).
-export([transfer/4]).

-type account() :: atom().
-type ledger() :: #{account() => non_neg_integer()}.

-spec transfer(account(), account(), non_neg_integer(), ledger()) -> {ok, ledger()} | {error, atom()}.
transfer(From, To, Amount, Ledger) ->
    case Ledger of
        #{From := Has} when Has < Amount -> {error, overdrawn};
        #{From := Has, To := Had} -> checked(Ledger, Ledger#{From := Has - Amount, To := Had + Amount});
        #{} -> {error, no_account}
    end.

checked(Before, After) ->
    case {total(Before), total(After)} of
        {Total, Total} -> {ok, After};
        {Old, New} -> error({total_changed, Old, New})
    end.

total(Ledger) -> lists:sum(maps:values(Ledger)).
