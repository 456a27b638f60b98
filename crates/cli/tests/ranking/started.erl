%% A stock of goods in a table that the application makes when it starts; `parse_line/1` has nothing to do with it.
-module(started).
-export([start/0, add/2, take/2, count/1, names/0, ask/1, parse_line/1]).

-spec start() -> ok.
start() ->
    stock = ets:new(stock, [named_table, public]),
    ok.

-spec add(binary(), pos_integer()) -> pos_integer().
add(Name, Number) ->
    ets:update_counter(stock, Name, Number, {Name, 0}).

-spec take(binary(), pos_integer()) -> ok | {error, not_enough}.
take(Name, Number) ->
    case ets:lookup(stock, Name) of
        [{Name, Have}] when Have >= Number ->
            true = ets:insert(stock, {Name, Have - Number}),
            ok;
        _ ->
            {error, not_enough}
    end.

-spec count(binary()) -> non_neg_integer().
count(Name) ->
    ets:lookup_element(stock, Name, 2).

-spec names() -> [binary()].
names() ->
    [Name || {Name, _} <- ets:tab2list(stock)].

-spec ask(binary()) -> non_neg_integer().
ask(Name) ->
    gen_server:call(stock_server, {count, Name}).

%% @doc A line of a delivery note: `name,number'.
-spec parse_line(binary()) -> {ok, binary(), pos_integer()} | {error, bad_line}.
parse_line(Line) ->
    case binary:split(Line, <<",">>) of
        [Name, Number] ->
            case string:to_integer(Number) of
                {Count, <<>>} when Count > 0 -> {ok, Name, Count}
            end;
        _ ->
            {error, bad_line}
    end.
