%% Bug: a discount ladder with two steps at the same quantity is looked up as if they were one.
%% Needs: 4 calls, three numbers in relation.
%% Scenario: L = price_ladder:step(10, 7, price_ladder:step(10, 8, price_ladder:new(9))), 9 = price_ladder:price(9, L), price_ladder:price(10, L)
%%? client: finds error:{case_clause, _}
-module(price_ladder).
-export([new/1, step/3, price/2]).
-export_type([ladder/0]).

-opaque ladder() :: {Base :: pos_integer(), [{Quantity :: pos_integer(), Price :: pos_integer()}]}.

-spec new(pos_integer()) -> ladder().
new(Base) -> {Base, []}.

%% From this quantity on, a piece costs this much, if that is less than the base price.
-spec step(pos_integer(), pos_integer(), ladder()) -> ladder().
step(Quantity, Price, {Base, Steps}) when Price < Base -> {Base, lists:usort([{Quantity, Price} | Steps])};
step(_, _, Ladder) -> Ladder.

-spec price(pos_integer(), ladder()) -> pos_integer().
price(Quantity, {Base, Steps}) ->
    Reached = [Q || {Q, _} <- Steps, Q =< Quantity],
    case [P || {Q, P} <- Steps, Q =:= lists:max([0 | Reached])] of
        [] -> Base;
        [Price] -> Price
    end.
