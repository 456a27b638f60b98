%% Amounts of money. Nearly every function refuses what it is not meant for; `parse/1` promises an error and crashes.
-module(deliberate).
-export([new/2, add/2, subtract/2, split/2, currency/1, parse/1, format/1]).
-export_type([money/0]).

-type money() :: {money, integer(), eur | usd | gbp}.

%% @doc Raises `badarg' for currencies that nobody knows.
-spec new(integer(), atom()) -> money().
new(Cents, Currency) when Currency =:= eur; Currency =:= usd; Currency =:= gbp ->
    {money, Cents, Currency};
new(_, Currency) ->
    erlang:error({unknown_currency, Currency}).

%% @doc Raises `{currencies_differ, _, _}'.
-spec add(money(), money()) -> money().
add({money, A, Currency}, {money, B, Currency}) ->
    {money, A + B, Currency};
add({money, _, A}, {money, _, B}) ->
    erlang:error({currencies_differ, A, B}).

-spec subtract(money(), money()) -> money().
subtract({money, A, Currency}, {money, B, Currency}) when B =< A ->
    {money, A - B, Currency};
subtract(_, _) ->
    throw(not_enough).

-spec split(money(), integer()) -> [money()].
split(_, Parts) when Parts < 1 ->
    exit(no_parts);
split({money, Cents, Currency}, Parts) ->
    Each = Cents div Parts,
    [{money, Each + Cents rem Parts, Currency} | [{money, Each, Currency} || _ <- lists:seq(2, min(Parts, 3))]].

-spec currency(binary()) -> eur | usd | gbp.
currency(<<"EUR">>) -> eur;
currency(<<"USD">>) -> usd;
currency(<<"GBP">>) -> gbp;
currency(Other) -> erlang:error({unknown_currency, Other}).

%% @doc `12.30 EUR'. A text that is no amount is an error.
-spec parse(binary()) -> {ok, money()} | {error, bad_amount}.
parse(Text) ->
    case binary:split(Text, <<" ">>) of
        [<<Units:2/binary, ".", Cents:2/binary>>, Currency] ->
            case is_digits(Units) andalso is_digits(Cents) of
                true -> {ok, new(100 * binary_to_integer(Units) + binary_to_integer(Cents), code(Currency))};
                false -> {error, bad_amount}
            end;
        _ ->
            {error, bad_amount}
    end.

is_digits(Text) ->
    lists:all(fun(C) -> C >= $0 andalso C =< $9 end, binary_to_list(Text)).

code(<<"EUR">>) -> eur;
code(<<"USD">>) -> usd.

-spec format(money()) -> string().
format({money, Cents, Currency}) ->
    integer_to_list(Cents) ++ " " ++ atom_to_list(Currency).
