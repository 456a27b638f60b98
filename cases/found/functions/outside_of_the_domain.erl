%% Whoever calls a function that it was given with what that is not for is to blame.
%%? positive/2: finds error:{outside_domain,[X]} when X < 1; failures = 1; exhausts
%%? listed/2 with bound 3, max 200: finds error:{outside_domain,[[]]}; failures = 1
%%? within/2: clean; exhausts
-module(outside_of_the_domain).
-export([positive/2, listed/2, within/2]).

-spec positive(fun((pos_integer()) -> integer()), integer()) -> integer().
positive(F, X) ->
    F(X).

-spec listed(fun((nonempty_list(integer())) -> integer()), [integer()]) -> integer().
listed(Largest, List) ->
    Largest([X || X <- List, X > 2]).

-spec within(fun((pos_integer()) -> integer()), integer()) -> integer().
within(F, X) when X > 0 ->
    F(X);
within(_, X) ->
    X.
